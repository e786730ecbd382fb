import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { runAdmin } from '../../cli/admin/run-admin.ts';
import type { Envelope } from '../../contract/envelope.ts';
import { openStore } from '../../store/open-store.ts';
import { dumpServer } from '../../store/postgres/dump/dump-server.ts';
import { startSqliteThread } from '../../store/sqlite/sqlite-thread.ts';
import { compareRows } from '../../store/transfer/copy-rows.ts';
import { copyServer } from '../../store/transfer/copy-server.ts';
import { fileSide } from '../../store/transfer/sides.ts';
import { tablesOf } from '../../store/transfer/tables.ts';
import { isImportWaiting } from '../../store/waiting-import.ts';
import { API_TOKEN } from '../../testing/credentials.ts';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';
import { beside, copyDatabase, databaseOf, dropDatabase } from '../../testing/postgres/databases.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import type { ImportPlan } from '../import/contract.ts';

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
  vi.unstubAllEnvs();
  await panel.close();
  await dropDatabase(folder);
  await rm(folder, { recursive: true, force: true });
});

const emails = async () =>
  (await panel.store.reader.selectFrom('clients').select('email').orderBy('id').execute()).map(({ email }) => email);
/** Queries the database directly, bypassing the panel. */
async function query(statement: string): Promise<unknown[]> {
  const client = new Client(databaseOf(panel.dataDir));
  await client.connect();
  try {
    return (await client.query(statement)).rows as unknown[];
  } finally {
    await client.end();
  }
}

async function upload(path: string, file: string): Promise<Envelope<ImportPlan>> {
  const body = new FormData();
  body.set('db', new Blob([new Uint8Array(readFileSync(file))]), 'whatever.txt');
  const url = new URL(`panel/api/server/${path}`, panel.app.panel.url);
  const headers = { authorization: `Bearer ${API_TOKEN}` };
  return (await fetch(url, { method: 'POST', body, headers })).json() as Promise<Envelope<ImportPlan>>;
}

/** `npm run admin`, run next to the panel. */
async function admin(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const streams = { stdin: Readable.from([]), stdout: out, stderr: err } as never;
  const code = await beside(panel.dataDir, () => runAdmin(['--data-dir', panel.dataDir, ...words], streams));
  out.end();
  err.end();
  return { code, out: await text(out), err: await text(err) };
}

/** Puts a wrapper program ahead of the real one on PATH. */
function stub(name: string, script: string): void {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${join(folder, 'bin')}${delimiter}${process.env['PATH']!}`);
}

async function restart(): Promise<void> {
  const { dataDir } = panel;
  await panel.app.close();
  panel = await openPanel({ dataDir, startMs: Date.now() });
}

describe('a native backup', () => {
  it('says what to copy for the keys of certificates, which it cannot hold', async () => {
    const { status } = await fetch(new URL('panel/api/certificates/save', panel.app.panel.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${API_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Own', source: 'selfSigned', names: ['192.0.2.7'] }),
    });
    expect(status).toBe(200);
    const { code, err } = await admin('backup', '--native', join(folder, 'native.dump'));
    expect(err).toBe('Keys of certificates are not in it: copy the folder cert of the data folder, too.\n');
    expect(code).toBe(0);
  });

  it('restores everything through the interface', async () => {
    const file = join(folder, 'native.dump');
    // Rows of a partitioned table: its oldest partition, a monthly one, and the last one.
    const ledger = [0, 1_796_083_200, 9_999_993_600];
    await query(
      `INSERT INTO switchyard."trafficLedger" ("spanSec", "bucketStartSec", "clientId", "sourceId", "upBytes", "downBytes")
       SELECT 3600, start, 1, 1, start, 7 FROM unnest(ARRAY[${ledger.join()}]::bigint[]) AS start`,
    );
    expect(await admin('backup', '--native', file)).toEqual({ code: 0, out: `${file}\n`, err: '' });
    expect(readFileSync(file).toString('latin1', 0, 5)).toBe('PGDMP');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const list = execFileSync(join(programs, 'pg_restore'), ['--list', file], { encoding: 'utf8' });
    expect(list).toMatch(/ TABLE DATA switchyard clients /);
    expect(list).not.toMatch(/ TABLE (?:DATA )?public /);

    await panel.done('/clients/add', { client: { email: 'later@x' }, inboundIds: [1] });
    const plan = (await upload('importDB/preview', file)).obj;
    expect(plan).toMatchObject({ kind: 'own', counts: { clients: 1, inbounds: 1 }, cannotCome: [] });
    expect((await upload('importDB', file)).success).toBe(true);
    expect(await emails()).toEqual(['İstanbul@x', 'later@x']);
    await restart();
    expect(await emails()).toEqual(['İstanbul@x']);
    expect(await panel.read('/server/importDB/outcome')).toMatchObject({ outcome: 'imported' });
    expect(await query('SELECT "upBytes"::float FROM switchyard."trafficLedger" ORDER BY 1')).toEqual(
      ledger.map((upBytes) => ({ upBytes })),
    );
    // Sequences continue after the restored ids, and secrets can be opened.
    await panel.add({ email: 'new@x' }, [1]);
    expect(await panel.store.reader.selectFrom('clients').select('id').where('email', '=', 'new@x').execute()).toEqual([
      { id: 3 },
    ]);
    expect(await panel.done('/setting/all')).toMatchObject({ subTitle: 'Ours' });
  });

  it('can be taken and restored by command, with the password in no argument', async () => {
    await query(`CREATE ROLE restorer LOGIN SUPERUSER PASSWORD 'a right:one@'`);
    const seen = join(folder, 'seen');
    // What the process list shows while the real program runs.
    stub('pg_dump', `echo "$@" >> '${seen}'\nexec '${programs}/pg_dump' "$@"`);
    const file = join(folder, 'native.dump');
    try {
      const url = databaseOf(panel.dataDir)!.replace('panel@', `restorer:${encodeURIComponent('a right:one@')}@`);
      await dumpServer(url, join(folder, 'by-password.dump'));
      expect(readFileSync(seen, 'utf8')).toMatch(/--format=custom/);
      expect(readFileSync(seen, 'utf8')).not.toContain('right');
      expect(await admin('backup', '--native', file)).toEqual({
        code: 0,
        out: `${file}\n`,
        err: '',
      });
    } finally {
      await query('DROP ROLE restorer');
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

  it('is an archive that pg_restore loads into another database, row by row', async () => {
    const file = join(folder, 'native.dump');
    await panel.app.close();
    await admin('backup', '--native', file);
    await copyDatabase('template0', folder);
    const target = databaseOf(folder)!;
    execFileSync(join(programs, 'pg_restore'), ['--exit-on-error', '--single-transaction', `--dbname=${target}`, file]);
    await copyServer(databaseOf(panel.dataDir)!, join(folder, 'one.db'));
    // A panel starts on it, too.
    await (
      await openStore({ dataDir: folder, clock: Date.now, log: recordingLogger(), database: target, isPanel: true })
    ).close();
    await copyServer(target, join(folder, 'other.db'));
    const [one, other] = ['one.db', 'other.db'].map((name) => startSqliteThread(join(folder, name), 'readOnly'));
    expect(await compareRows(fileSide(one!), fileSide(other!), await tablesOf(one!))).toEqual([]);
    await one!.close();
    await other!.close();
  });

  it('that is cut short leaves neither a file nor a change', async () => {
    const file = join(folder, 'native.dump');
    const half = 'kill -9 $$';
    const version = (name: string) => `if [ "$1" = --version ]; then exec '${programs}/${name}' --version; fi`;
    stub('pg_dump', `${version('pg_dump')}\n'${programs}/pg_dump' "$@"\n${half}`);
    expect(await admin('backup', '--native', file)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('pg_dump ended without a backup (it ended with SIGKILL)') as string,
    });
    expect(readdirSync(folder)).toEqual(['bin']);

    vi.unstubAllEnvs();
    await admin('backup', '--native', file);
    await panel.done('/clients/add', { client: { email: 'later@x' }, inboundIds: [1] });
    // The newest one can read the archive.
    stub(
      'pg_restore',
      `if [ "$1" = --version ]; then echo 'pg_restore (PostgreSQL) 99.0'; exit; fi
if [ "$1" = --list ]; then exec '${programs}/pg_restore' "$@"; fi
'${programs}/pg_restore' "$@" | head -c 20000
${half}`,
    );
    expect((await upload('importDB', file)).msg).toMatch(/Invalid or corrupt db file: pg_restore ended with SIGKILL/);
    expect(await admin('restore', file)).toMatchObject({ code: 1, out: '' });
    expect(isImportWaiting(panel.dataDir)).toBe(false);
    await restart();
    expect(await emails()).toEqual(['İstanbul@x', 'later@x']);
  });

  it('is refused when it comes from a newer panel or is damaged', async () => {
    const file = join(folder, 'native.dump');
    const [found] = (await query('SELECT version FROM switchyard."schemaVersion"')) as { version: string }[];
    await query('UPDATE switchyard."schemaVersion" SET version = 99990');
    await panel.store.dumpTo!(file);
    await query(`UPDATE switchyard."schemaVersion" SET version = ${found!.version}`);
    expect((await upload('importDB/preview', file)).msg).toMatch(/from a newer panel \(schema 99990/);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, bytes.length - 20_000));
    expect((await upload('importDB', file)).msg).toMatch(/Invalid or corrupt db file: /);
    // The archive version follows the magic bytes.
    bytes[6] = 99;
    writeFileSync(file, bytes);
    expect((await upload('importDB', file)).msg).toMatch(
      /made by a newer PostgreSQL than the pg_restore of this machine/,
    );
    expect(await emails()).toEqual(['İstanbul@x']);
  });
});
