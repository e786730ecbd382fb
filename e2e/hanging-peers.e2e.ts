import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestBrowser } from '../src-server/testing/peers/test-browser.ts';
import { startCoreClient } from './harness/core-client.ts';
import { freePort } from './harness/free-port.ts';
import { hangingPeers } from './harness/hanging-peers.ts';
import { allowPrivateEgress } from './harness/open-egress.ts';
import { disposePanel, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { startTargetServer, type TargetServer } from './harness/target-server.ts';
import { waitFor } from './harness/wait-for.ts';

let panel: PanelProcess;
let site: TargetServer;
let peers: Awaited<ReturnType<typeof hangingPeers>>;
beforeAll(async () => {
  [panel, site, peers] = await Promise.all([startPanel(), startTargetServer(), hangingPeers()]);
});
afterAll(async () => {
  if (panel !== undefined) await disposePanel(panel);
  await Promise.all([site?.close(), peers?.close()]);
});

test('bot API, mail server, directory and webhook hang at once: requests are answered, ticks count, and the panel ends', async () => {
  const { api } = panel;
  await allowPrivateEgress(api);
  const port = await freePort();
  const { id: inboundId } = await api.post<{ id: number }>('/panel/api/inbounds/add', {
    tag: 'all',
    listen: '127.0.0.1',
    port,
    protocol: 'vless',
    settings: { decryption: 'none' },
    streamSettings: { network: 'tcp', security: 'none' },
  });
  const addClient = (email: string) =>
    api.post('/panel/api/clients/add', { client: { email }, inboundIds: [inboundId] });
  const used = async (email: string): Promise<number> => {
    const { up, down } = await api.get<{ up: number; down: number }>(`/panel/api/clients/traffic/${email}`);
    return up + down;
  };
  await peers.connect(api, 'all');
  await createTestBrowser(panel.url)
    .signIn('mallory', 'wrong')
    .catch(() => {});
  await peers.allHang();

  // Each change is made and read again while all of them hang.
  await addClient('alice');
  const { client } = await api.get<{ client: { id: string } }>('/panel/api/clients/get/alice');
  const alice = await startCoreClient({
    protocol: 'vless',
    settings: { address: '127.0.0.1', port, id: client.id, encryption: 'none' },
  });
  try {
    for (const bytes of [1_000_000, 2_000_000]) {
      const before = await used('alice');
      await peers.allHang();
      await alice.fetchBytes(`${site.url}/bytes/${bytes}`);
      await waitFor('a tick to count it', async () => (await used('alice')) >= before + bytes);
    }
  } finally {
    await alice.close();
  }
  await peers.allHang();
  // What concerns those who hang themselves waits for none of them either.
  await api.post('/panel/api/setting/update', { tgLang: 'fa-IR', smtpTo: 'other@example.com', ldapAutoCreate: true });
  await addClient('bob');
  expect(await api.get<{ name: string; waiting: number }[]>('/panel/api/events/subscribers')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'bot', waiting: 1 }),
      expect.objectContaining({ name: 'email', waiting: 1 }),
      expect.objectContaining({ label: 'hanging', waiting: 1 }),
    ]),
  );
  expect(await panel.stop()).toBe(0);
});
