import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { Envelope } from '../../contract/envelope.ts';
import { API_TOKEN } from '../../testing/credentials.ts';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';
import type { Certificate } from '../certificates/contract.ts';
import type { ImportPlan } from '../import/contract.ts';

const PASSPHRASE = 'a lantern on the pier';
const ACCOUNT = `account-${'0f'.repeat(8)}.json`;
const authorization = `Bearer ${API_TOKEN}`;
const certificatesOf = async (panel: TestPanel): Promise<Certificate[]> =>
  (await panel.read<{ certificates: Certificate[] }>('/certificates/list')).certificates;
async function download(panel: TestPanel, path: string): Promise<Buffer> {
  const response = await fetch(new URL(`panel/api${path}`, panel.app.panel.url), { headers: { authorization } });
  return Buffer.from(await response.arrayBuffer());
}
async function upload(panel: TestPanel, path: string, file: Buffer, passphrase = ''): Promise<Envelope<ImportPlan>> {
  const body = new FormData();
  body.set('passphrase', passphrase);
  body.set('db', new Blob([new Uint8Array(file)]), 'panel.db');
  const url = new URL(`panel/api/server/${path}`, panel.app.panel.url);
  return (await fetch(url, { method: 'POST', body, headers: { authorization } })).json() as Promise<
    Envelope<ImportPlan>
  >;
}

test('certificate keys are backed up only with a passphrase, and restored files are readable by the owner alone', async () => {
  const first = await openPanel({ startMs: Date.now() });
  const other = await openPanel({ startMs: Date.now() });
  let again: TestPanel | null = null;
  try {
    await first.done('/certificates/save', { name: 'Own', source: 'selfSigned', names: ['a.example'] });
    await expect.poll(async () => (await certificatesOf(first))[0]?.facts ?? null, { timeout: 15_000 }).not.toBeNull();
    const [made] = await certificatesOf(first);
    const account = JSON.stringify({ key: 'the key of the account', url: 'https://ca.example/1' });
    await mkdir(join(first.dataDir, 'cert'), { recursive: true });
    await writeFile(join(first.dataDir, 'cert', ACCOUNT), account);
    await writeFile(join(first.dataDir, 'cert', 'dns-records.json'), '[]');

    const short = await first.post('/server/backups/take', { passphrase: 'short' });
    expect(short).toMatchObject({ success: false, obj: { issues: [{ field: 'passphrase', code: 'field.min' }] } });
    first.events.length = 0;
    const taken = await first.done<{ name: string }>('/server/backups/take', { passphrase: PASSPHRASE });
    expect(taken).toEqual({ name: expect.stringMatching(/^panel-\d+-certificates\.db$/) as string, certificates: 1 });
    expect(await first.read('/server/backups')).toContainEqual(
      expect.objectContaining({ name: taken.name, reason: 'certificates' }),
    );
    expect(first.events).toEqual([{ type: 'invalidate', resource: 'settings' }]);
    const backup = await download(first, `/server/backups/${taken.name}/download`);
    const plain = await download(first, '/server/getDb');
    const pem = await readFile(made!.file, 'utf8');
    const secretLine = pem.split('\n')[1]!;
    for (const file of [backup, plain]) {
      expect(file.includes(secretLine)).toBe(false);
      expect(file.includes('the key of the account')).toBe(false);
    }

    // Without the passphrase no certificate is imported, and the plan says so.
    const missing = (code: string) => ({
      kind: 'certificate',
      name: 'Own',
      code,
      what: 'certificate',
      params: {},
      reason: expect.any(String) as string,
    });
    const without = (await upload(other, 'importDB/preview', plain)).obj;
    expect([without.certificates, without.cannotCome]).toEqual(['none', [missing('leftOut.noKeys')]]);
    const locked = (await upload(other, 'importDB/preview', backup)).obj;
    expect([locked.certificates, locked.cannotCome]).toEqual(['locked', [missing('leftOut.lockedKeys')]]);
    const wrong = await upload(other, 'importDB', backup, 'another passphrase');
    expect(wrong).toMatchObject({ success: false, error: { code: 'import.passphrase' } });

    // The other machine has a certificate of the same name.
    await other.done('/certificates/save', { name: 'own', names: ['b.example'], termsAgreed: true });
    const plan = (await upload(other, 'importDB', backup, PASSPHRASE)).obj;
    expect([plan.certificates, plan.cannotCome]).toEqual(['open', []]);
    expect(plan.willCome).toContainEqual({ what: 'certificates', name: 'Own' });
    await other.app.close();
    again = await openPanel({ dataDir: other.dataDir, startMs: Date.now() });
    const [own, came] = await certificatesOf(again);
    expect([own?.name, own?.facts, came?.name, came?.facts]).toEqual(['own', null, 'Own (2)', made!.facts]);
    const put = [came!.file, join(other.dataDir, 'cert', ACCOUNT)];
    expect(await Promise.all(put.map((file) => readFile(file, 'utf8')))).toEqual([pem, account]);
    expect(await Promise.all(put.map(async (file) => (await stat(file)).mode & 0o777))).toEqual([0o600, 0o600]);
    const copy = join(other.dataDir, 'copy.db');
    await again.store.copyTo(copy);
    const db = new Database(copy, { readonly: true });
    expect(db.prepare(`SELECT name FROM sqlite_master WHERE name LIKE 'sealed%'`).all()).toEqual([]);
    db.close();
  } finally {
    await first.close();
    await (again ?? other).close();
  }
});
