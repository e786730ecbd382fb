import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostOf, RECIPES, traitsOf } from '../src-renderer/pages/inbounds/recipes.ts';
import { coreFigures } from './harness/core-figures.ts';
import { INBOUND_KINDS } from './harness/core/inbound-kinds.ts';
import {
  addClient,
  addKind,
  addRecipe,
  FAR,
  openTestBed,
  type TestBed,
  type InboundRow,
} from './harness/core/real-inbounds.ts';
import { fetchThrough, firstLinkOf, outboundOf } from './harness/core/through-link.ts';
import { reached, startCdn } from './harness/peers/cdn.ts';
import { waitFor } from './harness/wait-for.ts';

const PAYLOAD_BYTES = 1_000_000;
type Outbound = Record<string, unknown>;

describe('real clients of every kind of inbound', () => {
  let bed: TestBed;

  beforeAll(async () => {
    bed = await openTestBed({ subJsonEnable: true });
  });
  afterAll(() => bed.close());

  test.concurrent.each(INBOUND_KINDS)(
    '$name: 1 MB is counted, and what subscriptions give out works too',
    async (kind) => {
      const { panel, site } = bed;
      const { api } = panel;
      const { context, inbound } = await addKind(bed, kind);
      const client = kind.hasClients ? await addClient(bed, `u-${kind.name}`, inbound.id, kind.flow) : undefined;
      const byHand = kind.outbound(context, client ?? { email: '', id: '', password: '', auth: '' });
      expect(await fetchThrough(byHand, `${site.url}/bytes/${PAYLOAD_BYTES}`)).toBe(PAYLOAD_BYTES);
      if (client !== undefined) {
        const counted = await waitFor('the client counters', async () => {
          const row = await api.get<{ up: number; down: number }>(`/panel/api/clients/traffic/${client.email}`);
          const figures = await coreFigures(api, 'user', client.email);
          return row.down >= PAYLOAD_BYTES && row.down === figures.down && row.up === figures.up ? row : undefined;
        });
        expect(counted.down).toBeGreaterThanOrEqual(PAYLOAD_BYTES);
        // Only headers and framing: far below twice the payload.
        expect(counted.down).toBeLessThan(PAYLOAD_BYTES * 1.1);
        const url = `${site.url}/bytes/1000`;
        for (const address of ['', '127.0.0.1']) {
          if (address !== '')
            await api.post('/panel/api/hosts/add', { inboundId: inbound.id, remark: 'by host', address });
          expect([address, await fetchThrough(await rawOutbound(client.subId), url)]).toEqual([address, 1_000]);
          expect([address, await fetchThrough(await jsonOutbound(client.subId), url)]).toEqual([address, 1_000]);
        }
      }
      // The core itself leaves part of what it copies between raw sockets out of its inbound counter (seen: 421 kB
      // counted of 1 MB), never out of the client's: the panel can only be as exact as the core here.
      await waitFor('the inbound counters', async () => {
        const got = await api.get<InboundRow>(`/panel/api/inbounds/get/${inbound.id}`);
        const figures = await coreFigures(api, 'inbound', inbound.tag);
        return got.down > 0 && got.down === figures.down && got.up === figures.up ? got : undefined;
      });
      await api.post(`/panel/api/inbounds/del/${inbound.id}`);
    },
  );

  test.concurrent.each(RECIPES)('the recipe %s, by the link that the panel writes', async (recipe) => {
    const { panel, site, certificate } = bed;
    const { api } = panel;
    const { form, inbound } = await addRecipe(bed, recipe);
    const host = hostOf(form, inbound.id);
    if (host !== null) await api.post('/panel/api/hosts/add', host);
    if (traitsOf(recipe).protocol !== 'wireguard') await addClient(bed, `r-${recipe}`, inbound.id);

    const [first] = await api.get<{ link: string }[]>(`/panel/api/inbounds/${inbound.id}/links`);
    const cdn = host === null ? null : await startCdn(certificate, form.port);
    try {
      const origin = traitsOf(recipe).protocol === 'wireguard' ? `http://${FAR}` : site.url;
      const outbound = reached(outboundOf(first?.link ?? ''), certificate, cdn?.port ?? null);
      expect(await fetchThrough(outbound, `${origin}/bytes/${PAYLOAD_BYTES}`)).toBe(PAYLOAD_BYTES);
    } finally {
      await cdn?.close();
    }
    await api.post(`/panel/api/inbounds/del/${inbound.id}`);
  });

  async function body(path: string, subId: string): Promise<string> {
    const response = await fetch(new URL(`${path}/${subId}`, bed.panel.ready.sub));
    expect([path, response.status]).toEqual([path, 200]);
    return response.text();
  }

  async function rawOutbound(subId: string): Promise<Outbound> {
    return outboundOf(firstLinkOf(await body('sub', subId)));
  }

  async function jsonOutbound(subId: string): Promise<Outbound> {
    const [config] = JSON.parse(await body('json', subId)) as { outbounds: Outbound[] }[];
    return config?.outbounds[0] ?? {};
  }
});
