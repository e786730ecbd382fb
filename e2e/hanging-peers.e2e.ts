import { expect, test } from 'vitest';
import { createTestBrowser } from '../src-server/testing/peers/test-browser.ts';
import { forAllTests } from '../src-server/testing/for-each-test.ts';
import { hangingPeers } from './harness/peers/hanging-peers.ts';
import { startServingPanel } from './harness/serving-panel.ts';
import { waitFor } from './harness/wait-for.ts';

const peers = forAllTests(hangingPeers);
const serving = forAllTests(() => startServingPanel({}, { tag: 'all' }));

test('bot API, mail server, directory and webhook hang: requests and ticks go on, and the panel ends', async () => {
  const { panel, site } = serving;
  const { api } = panel;
  const used = async (email: string): Promise<number> => {
    const { up, down } = await serving.traffic(email);
    return up + down;
  };
  await peers.connect(api, 'all');
  await createTestBrowser(panel.url)
    .signIn('mallory', 'wrong')
    .catch(() => {});
  await peers.allHang();

  // Each change is made and read again while all of them hang.
  const alice = await serving.newClient('alice');
  for (const bytes of [1_000_000, 2_000_000]) {
    const before = await used('alice');
    await peers.allHang();
    await alice.fetchBytes(`${site.url}/bytes/${bytes}`);
    await waitFor('a tick to count it', async () => (await used('alice')) >= before + bytes);
  }
  await peers.allHang();
  // Calls that concern the hanging peers do not wait for them either.
  await api.post('/panel/api/setting/update', { tgLang: 'fa-IR', smtpTo: 'other@example.com', ldapAutoCreate: true });
  await serving.add('bob');
  expect(await api.get<{ name: string; waiting: number }[]>('/panel/api/events/subscribers')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'bot', waiting: 1 }),
      expect.objectContaining({ name: 'email', waiting: 1 }),
      expect.objectContaining({ label: 'hanging', waiting: 1 }),
    ]),
  );
  expect(await panel.stop()).toBe(0);
});
