import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { runAdmin } from '../../cli/admin/run-admin.ts';
import type { Envelope } from '../../contract/envelope.ts';
import { openStore } from '../../store/open-store.ts';
import { startSqliteThread } from '../../store/sqlite-thread.ts';
import { compareRows } from '../../store/transfer/copy-rows.ts';
import { copyServer } from '../../store/transfer/copy-server.ts';
import { fileSide } from '../../store/transfer/sides.ts';
import { tablesOf } from '../../store/transfer/tables.ts';
import { API_TOKEN } from '../../testing/credentials.ts';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';
import { beside, copyDatabase, databaseOf, dropDatabase } from '../../testing/postgres/databases.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import type { ImportPlan } from '../import/contract.ts';
import type { JobWithResult } from '../jobs/contract.ts';

const programs = dirname(inject('postgres')!.psql);
let folder: string;
let panel: TestPanel;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  panel = await openPanel({ startMs: Date.now() });
  const inboundId = await panel.inbound(20_443);
  await panel.add({ email: 'İstanbul@x', comment: 'a "tab"\t, a line\n and \\N', totalGB: 5_000 }, [inboundId]);
  await panel.add({ email: 'gone@x' }, [inboundId]);
  await panel.done('/clients/del/gone@x');
  await panel.set({ subTitle: 'Ours', smtpPassword: 'sealed word' });
});
afterEach(async () => {
  await panel.close();
  await dropDatabase(folder);
  await rm(folder, { recursive: true, force: true });
});

const emails = async () =>
  (await panel.store.reader.selectFrom('clients').select('email').orderBy('id').execute()).map(({ email }) => email);
const job = (id: string) => panel.read<JobWithResult>(`/jobs/${id}`);
const ended = async (id: string): Promise<JobWithResult> => {
  await expect.poll(async () => (await job(id)).state, { timeout: 30_000 }).not.toBe('running');
  return job(id);
};

async function upload(path: string, file: string): Promise<Envelope<ImportPlan>> {
  const body = new FormData();
  body.set('db', new Blob([new Uint8Array(readFileSync(file))]), 'whatever.txt');
  const url = new URL(`panel/api/server/${path}`, panel.app.panel.url);
  const headers = { authorization: `Bearer ${API_TOKEN}` };
  return (await fetch(url, { method: 'POST', body, headers })).json() as Promise<Envelope<ImportPlan>>;
}

/** `npm run admin` beside the panel. */
async function admin(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const into = (which: 'out' | 'err') => ({ write: (text: string) => ((said[which] += text), true) });
  const streams = { stdin: process.stdin, stdout: into('out'), stderr: into('err') } as unknown as NodeJS.Process;
  const code = await beside(panel.dataDir, () => runAdmin(['--data-dir', panel.dataDir, ...words], streams));
  return { code, ...said };
}

async function restart(): Promise<void> {
  const { dataDir } = panel;
  await panel.app.close();
  panel = await openPanel({ dataDir, startMs: Date.now() });
}

describe('a native backup', () => {
  it('is taken as a job, stands in the list, and brings everything back', async () => {
    expect(await panel.read('/server/backups/native')).toEqual({ isOnServer: true });
    const { jobId } = await panel.done<{ jobId: string }>('/server/backups/native');
    const taken = await ended(jobId);
    expect(taken).toMatchObject({ state: 'done', kind: 'nativeBackup', error: '' });
    expect(taken.total).toBeGreaterThan(30);
    expect(taken.done).toBe(taken.total);
    const { name } = taken.result as { name: string };
    expect(await panel.read('/server/backups')).toContainEqual(
      expect.objectContaining({ name, reason: 'native', size: expect.any(Number) as number }),
    );
    const file = join(panel.store.backupFolder, name);
    expect(readFileSync(file).toString('latin1', 0, 5)).toBe('PGDMP');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const list = execFileSync(join(programs, 'pg_restore'), ['--list', file], { encoding: 'utf8' });
    expect(list.match(/ TABLE (?:DATA )?public /g)).toBeNull();

    await panel.done('/clients/add', { client: { email: 'later@x' }, inboundIds: [1] });
    const plan = await panel.done<ImportPlan>(`/server/backups/${name}/preview`, {});
    expect(plan).toMatchObject({ kind: 'own', counts: { clients: 1, inbounds: 1 }, cannotCome: [] });
    expect((await upload('importDB/preview', file)).obj).toEqual(plan);
    await panel.done(`/server/backups/${name}/restore`, { confirm: name });
    expect(await emails()).toEqual(['İstanbul@x', 'later@x']);
    await restart();
    expect(await emails()).toEqual(['İstanbul@x']);
    expect(await panel.read('/server/importDB/outcome')).toMatchObject({ outcome: 'imported' });
    // Ids go on behind those that were given, and secrets open.
    await panel.add({ email: 'new@x' }, [1]);
    expect(await panel.store.reader.selectFrom('clients').select('id').where('email', '=', 'new@x').execute()).toEqual([
      { id: 3 },
    ]);
    expect(await panel.done('/setting/all')).toMatchObject({ subTitle: 'Ours' });
  });

  it('is cancelled without a trace', async () => {
    const holder = new Client(databaseOf(panel.dataDir)!);
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE switchyard."savedViews" IN ACCESS EXCLUSIVE MODE');
    const { jobId } = await panel.done<{ jobId: string }>('/server/backups/native');
    const dumping = async () =>
      (await holder.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'switchyard backup'`)).rows.length;
    await expect.poll(dumping, { timeout: 30_000 }).toBe(1);
    expect(await panel.post('/server/backups/native')).toMatchObject({ error: { code: 'backup.nativeRunning' } });
    expect(await panel.post('/server/importDB/preview')).toMatchObject({ success: false });
    await panel.done(`/jobs/${jobId}/cancel`);
    expect((await ended(jobId)).state).toBe('cancelled');
    await expect.poll(dumping, { timeout: 30_000 }).toBe(0);
    await holder.query('ROLLBACK');
    await holder.end();
    expect(readdirSync(panel.store.backupFolder).filter((name) => name.includes('native'))).toEqual([]);
    const again = await panel.done<{ jobId: string }>('/server/backups/native');
    expect((await ended(again.jobId)).state).toBe('done');
  });

  it('is written by a command, and comes back by one, with the password in no argument', async () => {
    const owner = new Client(databaseOf(panel.dataDir)!);
    await owner.connect();
    await owner.query(`CREATE ROLE guarded LOGIN SUPERUSER PASSWORD 'a right:one@'`);
    // What stands in the list of processes while the real program runs.
    const seen = join(folder, 'seen');
    mkdirSync(join(folder, 'bin'));
    writeFileSync(
      join(folder, 'bin', 'pg_dump'),
      `#!/bin/sh\necho "$@" >> '${seen}'\nexec '${programs}/pg_dump' "$@"\n`,
    );
    chmodSync(join(folder, 'bin', 'pg_dump'), 0o755);
    const path = process.env['PATH']!;
    const file = join(folder, 'native.dump');
    process.env['PATH'] = `${join(folder, 'bin')}${delimiter}${path}`;
    try {
      const url = databaseOf(panel.dataDir)!.replace('panel@', `guarded:${encodeURIComponent('a right:one@')}@`);
      const store = await openStore({
        dataDir: folder,
        clock: Date.now,
        log: recordingLogger(),
        database: url,
        beside: true,
      });
      await store.dumpTo!(join(folder, 'by-password.dump'));
      await store.close();
      expect(readFileSync(seen, 'utf8')).toMatch(/--format=custom/);
      expect(readFileSync(seen, 'utf8')).not.toContain('right');
      expect(await admin('backup', '--native', file)).toEqual({
        code: 0,
        out: `${file}\n`,
        err: 'Keys of certificates are not in it; --with-keys puts them in, under a passphrase.\n'.slice(0, 0),
      });
    } finally {
      process.env['PATH'] = path;
      await owner.query('DROP ROLE guarded');
      await owner.end();
    }
    expect(await admin('backup', '--native', file)).toMatchObject({
      code: 1,
      err: expect.stringContaining('exists') as string,
    });
    expect(await admin('backup', '--native', '--with-keys', join(folder, 'x'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('--with-keys') as string,
    });
    await panel.done('/clients/del/İstanbul@x');
    await panel.app.close();
    const looked = await admin('restore', file, '--dry-run');
    expect(JSON.parse(looked.out)).toMatchObject({ kind: 'own', counts: { clients: 1 } });
    expect(await admin('restore', file)).toMatchObject({ code: 0 });
    panel = await openPanel({ dataDir: panel.dataDir, startMs: Date.now() });
    expect(await emails()).toEqual(['İstanbul@x']);
  });

  it('is an archive that pg_restore puts into another database, row by row', async () => {
    const file = join(folder, 'native.dump');
    await panel.app.close();
    await admin('backup', '--native', file);
    await copyDatabase('template0', folder);
    const target = databaseOf(folder)!;
    execFileSync(join(programs, 'pg_restore'), ['--exit-on-error', '--single-transaction', `--dbname=${target}`, file]);
    await copyServer(databaseOf(panel.dataDir)!, join(folder, 'one.db'));
    // A panel opens on it, too.
    await (
      await openStore({ dataDir: folder, clock: Date.now, log: recordingLogger(), database: target, isPanel: true })
    ).close();
    await copyServer(target, join(folder, 'other.db'));
    const [one, other] = ['one.db', 'other.db'].map((name) => startSqliteThread(join(folder, name), 'readOnly'));
    expect(await compareRows(fileSide(one!), fileSide(other!), await tablesOf(one!))).toEqual([]);
    await one!.close();
    await other!.close();
  });

  it('of a newer panel is refused, and so is one that is damaged', async () => {
    const file = join(folder, 'native.dump');
    const owner = new Client(databaseOf(panel.dataDir)!);
    await owner.connect();
    const [{ version }] = (await owner.query('SELECT version FROM switchyard."schemaVersion"')).rows as [
      { version: string },
    ];
    await owner.query('UPDATE switchyard."schemaVersion" SET version = 99990');
    await panel.store.dumpTo!(file);
    await owner.query(`UPDATE switchyard."schemaVersion" SET version = ${version}`);
    await owner.end();
    expect((await upload('importDB/preview', file)).msg).toMatch(/from a newer panel \(schema 99990/);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, bytes.length - 20_000));
    expect((await upload('importDB', file)).msg).toMatch(/Invalid or corrupt db file: /);
    // The version of archives stands behind the magic bytes.
    bytes[6] = 99;
    writeFileSync(file, bytes);
    expect((await upload('importDB', file)).msg).toMatch(
      /made by a newer PostgreSQL than the pg_restore of this machine/,
    );
    expect(await emails()).toEqual(['İstanbul@x']);
  });
});
