import { stat } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Certificate } from '../../domains/certificates/contract.ts';
import { openStore, type Store } from '../../store/open-store.ts';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';
import { databaseOf } from '../../testing/postgres/databases.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import { certificateCommand, type IssueOptions } from './admin-certificate.ts';

let panel: TestPanel;
/** The command's own, beside the panel's. */
let store: Store;
let isRunning: boolean;
beforeEach(async () => {
  panel = await openPanel({ startMs: Date.now() });
  const { dataDir } = panel;
  const database = databaseOf(dataDir);
  store = await openStore({
    dataDir,
    clock: Date.now,
    log: recordingLogger(),
    beside: true,
    ...(database !== undefined && { database }),
  });
  isRunning = true;
});
afterEach(async () => {
  await store.close();
  await panel.close();
});

interface Line {
  id: number;
  name: string;
  file: string;
  pin?: string;
  usedBy: string[];
}
const NOTHING: IssueOptions = {
  email: '',
  hasAgreed: false,
  allowsPrivate: false,
  challenge: undefined,
  directory: undefined,
  dnsHook: '',
};
function command(verb: string, args: string[] = [], issue: Partial<IssueOptions> = {}) {
  const { dataDir } = panel;
  return certificateCommand(
    {
      store,
      dataDir,
      log: recordingLogger(),
      say: () => undefined,
      isPanelRunning: () => isRunning,
      issue: { ...NOTHING, ...issue },
    },
    verb,
    args,
  );
}
const line = async (...of: Parameters<typeof command>): Promise<Line> =>
  JSON.parse((await command(...of)) ?? '') as Line;
const shown = async (): Promise<Certificate[]> =>
  (await panel.read<{ certificates: Certificate[] }>('/certificates/list')).certificates;
const isRequested = async (): Promise<boolean> =>
  (await store.reader.selectFrom('certificates').select('id').where('askedAtMs', '>', 0).execute()).length > 0;

it('makes, lists, renews and deletes certificates beside a running panel', async () => {
  expect([await command('list'), await command('renew'), await command('frob', ['x'])]).toEqual(['', null, null]);
  const made = await line('self-signed', ['Own', 'a.example', '192.0.2.7']);
  expect(made).toMatchObject({ id: 1, name: 'Own', names: ['a.example', '192.0.2.7'], usedBy: [] });
  expect((await stat(made.file)).mode & 0o777).toBe(0o600);
  expect((await shown())[0]).toMatchObject({ file: made.file, facts: { pin: made.pin } });

  // The panel makes the next one, so that its listeners have it at once.
  const renewing = line('renew', ['Own']);
  await expect.poll(isRequested).toBe(true);
  await panel.advance(2_000);
  const renewed = await renewing;
  expect(renewed.pin).not.toBe(made.pin);
  expect((await shown())[0]?.facts?.pin).toBe(renewed.pin);

  await panel.set({ subCertFile: made.file, subKeyFile: made.file });
  await expect(command('delete', ['Own'])).rejects.toThrow('certificate.inUseBySubscription');
  expect(await line('list')).toMatchObject({ name: 'Own', usedBy: ['subscription'] });
  await panel.set({ subCertFile: '', subKeyFile: '' });
  expect(await command('delete', ['1'])).toBe('');
  expect(await shown()).toEqual([]);
  await expect(command('delete', ['1'])).rejects.toThrow('certificate.unknown');
});

it('reports why an order failed, here or in the panel', async () => {
  const host = ['Web', 'a.example.com'];
  await expect(command('issue', host)).rejects.toThrow('certificate.terms');
  await expect(command('issue', host, { hasAgreed: true, challenge: 'carrier-pigeon' })).rejects.toThrow('challenge');
  const inside = { hasAgreed: true, directory: 'https://127.0.0.1:1/directory' };
  const issuing = command('issue', host, inside);
  const refused = expect(issuing).rejects.toThrow('certificate.private');
  await expect.poll(isRequested).toBe(true);
  await panel.advance(2_000);
  await refused;

  isRunning = false;
  await expect(command('renew', ['Web'])).rejects.toThrow('certificate.private');
  expect(await isRequested()).toBe(false);
  isRunning = true;
  const waiting = expect(command('renew', ['Web'])).rejects.toThrow('certificate.panelEnded');
  await expect.poll(isRequested).toBe(true);
  isRunning = false;
  await waiting;
});
