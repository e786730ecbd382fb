import { afterEach, expect, test } from 'vitest';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';
import type { Check } from './contract.ts';

let panel: TestPanel;
afterEach(() => panel.close());

/** As through a reverse proxy on this machine, which speaks plain HTTP to the outside. */
const FROM_OUTSIDE = { 'X-Forwarded-For': '198.51.100.7' };
const points = async (headers = {}): Promise<Map<string, Check>> => {
  const response = await panel.call('GET', '/checklist/list', undefined, headers);
  return new Map((response.obj as Check[]).map((check) => [check.name, check]));
};
const isDone = async (name: string): Promise<boolean | undefined> => (await points()).get(name)?.isDone;

test('each check passes once its condition holds, and stays hidden once dismissed', async () => {
  panel = await openPanel();
  await panel.inbound(4001);
  const first = await points(FROM_OUTSIDE);
  expect([...first.values()].filter((check) => !check.isDone).map(({ name }) => name)).toEqual([
    'https',
    'twoFactor',
    'publicAddress',
    'firewall',
    'backups',
  ]);
  // The panel's own ports are for this machine only here.
  expect(first.get('firewall')?.facts['ports']).toBe('4001');

  await panel.set({ subDomain: 'panel.example', tgBotBackup: true });
  expect(await isDone('publicAddress')).toBe(true);
  // Nothing is sent while the bot is off.
  expect(await isDone('backups')).toBe(false);
  panel.write(`INSERT INTO eventMarks (key, value) VALUES ('update.core', '999.1.1')`);
  expect((await points()).get('core')).toMatchObject({ isDone: false, facts: { version: '999.1.1' } });

  await panel.done('/checklist/dismiss', { name: 'firewall', dismissed: true });
  await panel.done('/checklist/dismiss', { name: 'https', dismissed: true });
  expect([...(await points()).values()].filter((check) => check.isDismissed).map(({ name }) => name)).toEqual([
    'https',
    'firewall',
  ]);
  await panel.done('/checklist/dismiss', { name: 'https', dismissed: false });
  expect((await points()).get('https')?.isDismissed).toBe(false);
  expect((await panel.post('/checklist/dismiss', { name: 'nothing', dismissed: true })).success).toBe(false);
});

test('a panel for this machine only needs neither HTTPS nor open ports for itself', async () => {
  panel = await openPanel();
  const found = await points();
  expect(found.get('https')?.isDone).toBe(true);
  expect(found.get('firewall')).toMatchObject({ isDone: true, facts: { ports: '' } });
  expect(found.get('ports')).toMatchObject({ isDone: true, facts: { ports: '' } });
  // A proxy on this machine passes its visitors on.
  expect((await points(FROM_OUTSIDE)).get('https')?.isDone).toBe(false);
});
