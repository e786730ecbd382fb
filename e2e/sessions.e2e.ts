import { beforeAll, describe, expect, test } from 'vitest';
import { forAllTests } from '../src-server/testing/for-each-test.ts';
import { makeCertificate } from './harness/certificate.ts';
import type { Transfer } from './harness/core-client.ts';
import { freePort } from '../src-server/testing/free-port.ts';
import { report, reportTime } from './harness/report.ts';
import { startServingPanel } from './harness/serving-panel.ts';
import { pause, waitFor } from './harness/wait-for.ts';

interface SessionState {
  canCut: boolean;
  reason: string;
  recent: { step: string; connections: number; cause: string }[];
}
interface Ended {
  step: string;
  connections: number;
  left: { email: string; reason: string }[];
  offers: string[];
}

/** Addresses are read every few seconds; a busy machine needs longer. */
const SEEN_MS = 60_000;
const STALL_MS = 500;

/**
 * When the last byte arrived, in ms from now on: the transfer counts as ended when nothing came for half a second. The
 * client's proxy may keep its own end open for a while, so that end means nothing.
 */
async function lastByteAfterMs(transfer: Transfer): Promise<number> {
  const startedAt = performance.now();
  let lastAt = startedAt;
  for (let seen = transfer.receivedBytes(); performance.now() - lastAt < 500; await pause(10)) {
    if (transfer.receivedBytes() === seen) continue;
    seen = transfer.receivedBytes();
    lastAt = performance.now();
    if (lastAt - startedAt > SEEN_MS) throw new Error(`still receiving after ${SEEN_MS} ms`);
  }
  return lastAt - startedAt;
}

describe('open sessions', () => {
  const serving = forAllTests(() => startServingPanel({}, { remark: 'sessions' }));
  let canCut: boolean;

  beforeAll(async () => {
    const state = await serving.panel.api.get<SessionState>('/panel/api/clients/sessions');
    canCut = state.canCut;
    expect(state.reason === '').toBe(canCut);
    await waitFor('the core', async () => (await serving.corePid()) !== null);
    report(`open sessions: ${canCut ? 'single connections can be ended here' : state.reason}`);
  });

  /** A client whose connections come from the given address. */
  const newClient = (email: string, address: string, limits: object = {}) => serving.newClient(email, limits, address);
  const end = (email: string, how: string) =>
    serving.panel.api.post<Ended>('/panel/api/clients/sessions/end', { emails: [email], how });

  test('disabling one client ends its download while another runs on', async () => {
    const one = await newClient('cut-me', '127.0.0.7');
    const other = await newClient('spare-me', '127.0.0.8');
    const pid = await serving.corePid();
    const cut = await one.stream(`${serving.site.url}/drip/1000000`);
    const spared = await other.stream(`${serving.site.url}/drip/1000000`);
    await waitFor('both downloads', () => cut.receivedBytes() > 100_000 && spared.receivedBytes() > 100_000);

    const disabling = serving.panel.api.post<Record<string, unknown>>('/panel/api/clients/bulkDisable', {
      emails: ['cut-me'],
    });
    if (canCut) {
      const endedAfterMs = await lastByteAfterMs(cut);
      reportTime('last byte after the call that cuts', endedAfterMs, 1_000);
      expect(await disabling).toMatchObject({ sessions: 'cut', sessionReport: { connections: 1, left: [] } });
    } else {
      expect(await disabling).toMatchObject({
        sessions: 'leftOpen',
        sessionReport: { step: 'left', left: [{ email: 'cut-me', reason: 'unable' }], offers: ['restart'] },
      });
    }
    cut.abort();
    await serving.countedTwice('spare-me');
    expect(spared.isOpen()).toBe(true);
    reportTime('longest gap of another transfer', spared.longestGapMs(), STALL_MS);
    expect(await serving.corePid()).toBe(pid);
    expect(await serving.isRefused(one)).toBe(true);
    spared.abort();
  });

  test('behind a shared address no client is cut by mistake: it says so and offers the next step', async () => {
    const one = await newClient('nat-1', '127.0.0.9');
    const other = await newClient('nat-2', '127.0.0.9');
    const pid = await serving.corePid();
    const [first, second] = [
      await one.stream(`${serving.site.url}/drip/300000`),
      await other.stream(`${serving.site.url}/drip/300000`),
    ];
    await waitFor('both downloads', () => first.receivedBytes() > 50_000 && second.receivedBytes() > 50_000);
    await serving.panel.api.post('/panel/api/clients/bulkDisable', { emails: ['nat-1'] });
    const result = await end('nat-1', 'cut');
    expect(result).toMatchObject({ step: 'left', connections: 0, offers: ['restart'] });
    expect(result.left).toEqual([{ email: 'nat-1', reason: canCut ? 'shared' : 'unable' }]);
    expect([first.isOpen(), second.isOpen()]).toEqual([true, true]);

    expect(await end('nat-1', 'restart')).toMatchObject({ step: 'restarted', left: [] });
    await lastByteAfterMs(first);
    expect(await serving.corePid()).not.toBe(pid);
    second.abort();
  });

  test('a client over its quota is cut without a restart of the core', async () => {
    const client = await newClient('quota-cut', '127.0.0.10', { totalGB: 2_000_000 });
    const other = await newClient('quota-other', '127.0.0.11');
    const pid = await serving.corePid();
    const transfer = await client.stream(`${serving.site.url}/drip/1000000`);
    const steady = await other.stream(`${serving.site.url}/drip/300000`);
    report(`quota: the last byte came ${Math.round(await lastByteAfterMs(transfer))} ms after the start`);
    if (canCut) {
      await waitFor('the cut', async () => {
        const { recent } = await serving.panel.api.get<SessionState>('/panel/api/clients/sessions');
        return recent[0]?.step === 'cut' && recent[0].connections === 1;
      });
      await serving.countedTwice('quota-other');
      expect(await serving.corePid()).toBe(pid);
      expect(steady.isOpen()).toBe(true);
      reportTime('longest gap of another transfer', steady.longestGapMs(), STALL_MS);
    } else {
      await waitFor('another core', async () => (await serving.corePid()) !== pid);
    }
    steady.abort();
  });

  test('a QUIC session ends when its inbound is added anew, and no other session notices', async () => {
    const certificate = await makeCertificate(serving.panel.dataDir);
    const quicPort = await freePort();
    const { id: quicId } = await serving.panel.api.post<{ id: number }>('/panel/api/inbounds/add', {
      enable: true,
      listen: '127.0.0.1',
      port: quicPort,
      protocol: 'hysteria',
      settings: { version: 2 },
      streamSettings: {
        network: 'hysteria',
        hysteriaSettings: { version: 2 },
        security: 'tls',
        tlsSettings: { certificates: [{ certificateFile: certificate.certFile, keyFile: certificate.keyFile }] },
      },
    });
    await serving.panel.api.post('/panel/api/clients/add', { client: { email: 'quic' }, inboundIds: [quicId] });
    const { client } = await serving.panel.api.get<{ client: { auth: string } }>('/panel/api/clients/get/quic');
    const tunnel = await serving.connectBy({
      protocol: 'hysteria',
      sendThrough: '127.0.0.31',
      settings: { version: 2, address: '127.0.0.1', port: quicPort },
      streamSettings: {
        security: 'tls',
        tlsSettings: { serverName: 'test.local', pinnedPeerCertSha256: certificate.pin },
        network: 'hysteria',
        hysteriaSettings: { version: 2, auth: client.auth },
      },
    });
    const other = await newClient('beside-quic', '127.0.0.32');
    const transfer = await tunnel.stream(`${serving.site.url}/drip/300000`);
    const steady = await other.stream(`${serving.site.url}/drip/300000`);
    const pid = await serving.corePid();
    await waitFor('both downloads', () => transfer.receivedBytes() > 50_000 && steady.receivedBytes() > 50_000);
    const result = await serving.panel.api.post<Record<string, unknown>>('/panel/api/clients/bulkDisable', {
      emails: ['quic'],
    });
    expect(result).toMatchObject({
      sessions: 'leftOpen',
      sessionReport: { left: [{ email: 'quic', reason: 'udp' }], offers: ['readd', 'restart'] },
    });
    expect(await end('quic', 'readd')).toMatchObject({ step: 'readded' });
    await lastByteAfterMs(transfer);
    expect(await serving.corePid()).toBe(pid);
    expect(steady.isOpen()).toBe(true);
    reportTime('longest gap of another transfer', steady.longestGapMs(), STALL_MS);
    transfer.abort();
    steady.abort();
  });

  test('an IP limit of one keeps the newest address and refuses the older', async () => {
    const before = await newClient('limited', '127.0.0.21', { limitIp: 1 });
    const first = await before.stream(`${serving.site.url}/drip/200000`);
    const addresses = async (): Promise<Set<string | undefined>> => {
      const lines = await serving.panel.api.post<string[]>('/panel/api/clients/ips/limited');
      return new Set(lines.map((line) => line.split(' ')[0]));
    };
    await waitFor('the first address to be seen', async () => (await addresses()).has('127.0.0.21'), SEEN_MS);
    const now = await serving.connect('limited', '127.0.0.22');
    const second = await now.stream(`${serving.site.url}/drip/200000`);
    const status = await waitFor(
      'the older address to be blocked',
      async () => {
        const result = await serving.panel.api.get<{ blocked: number; usable: boolean; cutsConnections: boolean }>(
          '/panel/api/server/ipBanStatus',
        );
        return result.blocked > 0 ? result : undefined;
      },
      SEEN_MS,
    );
    expect(status).toMatchObject({ usable: true, cutsConnections: canCut, blocked: 1 });
    if (canCut) {
      await lastByteAfterMs(first);
    }
    expect(await serving.isRefused(before)).toBe(true);
    expect(await serving.isRefused(now)).toBe(false);
    expect(second.isOpen()).toBe(true);
    expect(await addresses()).toEqual(new Set(['127.0.0.21', '127.0.0.22']));
    second.abort();
    first.abort();

    await serving.panel.api.post('/panel/api/clients/clearIps/limited');
    await waitFor('the block to be lifted', async () => !(await serving.isRefused(before)), SEEN_MS, 200);
  });
});
