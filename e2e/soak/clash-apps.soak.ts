import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostOf, RECIPES, traitsOf } from '../../src-renderer/pages/inbounds/recipes.ts';
import { fetchThroughClash, NO_MIHOMO } from '../harness/core/clash-client.ts';
import { INBOUND_KINDS } from '../harness/core/inbound-kinds.ts';
import {
  addClient,
  addKind,
  addRecipe,
  FAR,
  openTestBed,
  type Client,
  type TestBed,
} from '../harness/core/real-inbounds.ts';
import { startCdn } from '../harness/peers/cdn.ts';
import { report } from '../harness/report.ts';

const PAYLOAD_BYTES = 1_000_000;
/** What the format lacks, with the reason that operators get. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'vless kcp none': 'The format has no kcp for vless',
  'vless kcp tls': 'The format has no kcp for vless',
  'vmess kcp none': 'The format has no kcp for vmess',
  'vmess xhttp none': 'The format has no xhttp for vmess',
  'vmess xhttp tls': 'The format has no xhttp for vmess',
  'trojan xhttp tls': 'The format has no xhttp for trojan',
  'trojan xhttp reality': 'The format has no xhttp for trojan',
};
/** What the engine reads differently from the core, or has no default for. */
const READ_DIFFERENTLY = {
  grpc: ['', 'a b', '/a/b c/T|M', '/x'].map((serviceName) => ({ serviceName })),
  ws: [{ path: '/w?ed=2048' }],
  httpupgrade: [{ path: '/u?ed=2048' }],
  xhttp: [
    { path: '/x?a=b', xPaddingBytes: '0', scMaxEachPostBytes: 0, scMinPostsIntervalMs: '50-10' },
    { xPaddingObfsMode: true },
    { xPaddingObfsMode: true, xPaddingPlacement: 'cookie', xPaddingMethod: 'tokenish' },
    { mode: 'packet-up', uplinkDataPlacement: 'header', sessionIDPlacement: 'cookie', seqPlacement: 'query' },
    { mode: 'packet-up', uplinkDataPlacement: 'cookie', sessionIDPlacement: 'header', seqPlacement: 'header' },
    { mode: 'stream-up', xmux: { maxConnections: '3-1', cMaxReuseTimes: 0, hKeepAlivePeriod: 30 } },
    { mode: 'stream-one', noGRPCHeader: true },
    { seqKey: 'a', extra: { sessionIDPlacement: 'query', sessionIDKey: 'b' } },
  ],
};
const STREAMS = Object.entries(READ_DIFFERENTLY).flatMap(([network, all]) =>
  all.map((settings) => ({ network, [`${network}Settings`]: settings })),
);
const ADMITTED = { minClientVer: '0.0.0' };

describe('YAML subscriptions in the engine of Clash apps', () => {
  test('there is one', ({ skip }) => {
    if (NO_MIHOMO === '') return;
    report(`Skipped. ${NO_MIHOMO}`);
    skip(NO_MIHOMO);
  });

  describe.skipIf(NO_MIHOMO !== '')('real clients', () => {
    let bed: TestBed;
    beforeAll(async () => {
      bed = await openTestBed({ subYamlEnable: true });
    });
    afterAll(() => bed.close());

    test.each(INBOUND_KINDS.filter(({ hasClients }) => hasClients))('$name', async (kind) => {
      const { inbound } = await addKind(bed, kind, ADMITTED);
      const client = await addClient(bed, `u-${kind.name}`, inbound.id, kind.flow);
      const reason = LEFT_OUT[kind.name];
      expect(await leftOut(client)).toEqual(reason === undefined ? [] : [reason]);
      if (reason === undefined) expect(await received(client)).toBe(PAYLOAD_BYTES);
      await remove(inbound.id);
    });

    test.each(STREAMS)('vless over %j', async (stream) => {
      const kind = { name: 'vless', protocol: 'vless', settings: { decryption: 'none', encryption: 'none' } };
      const { inbound } = await addKind(bed, { ...kind, stream: () => stream });
      const client = await addClient(bed, `s-${STREAMS.indexOf(stream)}`, inbound.id);
      expect(await received(client)).toBe(PAYLOAD_BYTES);
      await remove(inbound.id);
    });

    test.each(RECIPES.filter((recipe) => traitsOf(recipe).protocol !== 'wireguard'))('recipe %s', async (recipe) => {
      const { form, inbound } = await addRecipe(bed, recipe, true);
      const throughCdn = hostOf(form, inbound.id);
      const cdn = throughCdn === null ? null : await startCdn(bed.certificate, form.port);
      // No authority knows the tests' certificate.
      const host = { inboundId: inbound.id, remark: recipe, pinnedPeerCertSha256: [bed.certificate.pin] };
      await bed.panel.api.post('/panel/api/hosts/add', { ...host, ...throughCdn, ...(cdn && { port: cdn.port }) });
      const client = await addClient(bed, `r-${recipe}`, inbound.id);
      try {
        expect(await received(client)).toBe(PAYLOAD_BYTES);
      } finally {
        await cdn?.close();
      }
      await remove(inbound.id);
    });

    test('a WireGuard peer, as an external link beside an inbound that the format leaves out', async () => {
      const { api } = bed.panel;
      const { inbound } = await addRecipe(bed, 'wireguard');
      const [peer] = await api.get<{ link: string }[]>(`/panel/api/inbounds/${inbound.id}/links`);
      const kcp = await addKind(
        bed,
        INBOUND_KINDS.find(({ name }) => name === 'vless kcp none')!,
      );
      const client = await addClient(bed, 'peer', kcp.inbound.id);
      await api.post('/panel/api/clients/peer/externalLinks', { externalLinks: [{ value: peer!.link }] });
      // Loopback is no destination for packets.
      expect(await received(client, `http://${FAR}`)).toBe(PAYLOAD_BYTES);
      await remove(inbound.id);
      await remove(kcp.inbound.id);
    });

    test.each([
      ['', []],
      ['26.3.27', ['REALITY here refuses apps below 26.3.27, and those that read YAML count as 1.8.2']],
    ])('REALITY with minClientVer "%s" refuses them; left out: %s', async (minClientVer, reasons) => {
      const kind = INBOUND_KINDS.find(({ name }) => name === 'vless tcp reality')!;
      const { inbound } = await addKind(bed, kind, { minClientVer });
      const client = await addClient(bed, `old-${minClientVer}`, inbound.id);
      expect(await leftOut(client)).toEqual(reasons);
      // The site that REALITY imitates answers, with its own certificate.
      if (reasons.length === 0)
        await expect(received(client)).rejects.toThrow('certificate signed by unknown authority');
      await remove(inbound.id);
    });

    const remove = (inboundId: number): Promise<unknown> => bed.panel.api.post(`/panel/api/inbounds/del/${inboundId}`);

    async function received({ subId }: Client, origin = bed.site.url): Promise<number> {
      const response = await fetch(new URL(`yaml/${subId}`, bed.panel.ready.sub));
      expect(response.status).toBe(200);
      return fetchThroughClash(await response.text(), `${origin}/bytes/${PAYLOAD_BYTES}`);
    }

    /** Why the format has no entry for the client. */
    async function leftOut({ email }: Client): Promise<string[]> {
      const all = await bed.panel.api.get<{ format: string; reason: string }[]>(`/panel/api/clients/leftOut/${email}`);
      return all.filter(({ format }) => format === 'yaml').map(({ reason }) => reason);
    }
  });
});
