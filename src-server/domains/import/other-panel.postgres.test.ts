import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { importCommand, restoreCommand, type RestoreDeps } from '../../cli/admin/admin-restore.ts';
import { openStore } from '../../store/open-store.ts';
import { openSecrets } from '../../store/secrets/secret-key.ts';
import { stagedFile } from '../../store/waiting-import.ts';
import { copyDatabase, databaseOf, dropDatabase } from '../../testing/postgres/databases.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import { sqlDump } from '../backup/sql-dump.ts';
import { createCertificateStore } from '../certificates/certificate-store.ts';
import { readOwn } from './prepare-import.ts';
import { quoted } from './scratch.ts';
import { createImportService } from './service.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures', 'other-panel.db.gz');
const log = recordingLogger();
const programs = dirname(inject('postgres')!.psql);

/** The other panel's database on a server, and the files `pg_dump` makes of it. */
let home: string;
let address: string;
let folder: string;
let said: string[];
const file = (name: string): string => join(home, name);

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  address = databaseOf(home)!;
  await copyDatabase('template0', home);
  writeFileSync(file('panel.db'), gunzipSync(readFileSync(FIXTURE)));
  const db = new Database(file('panel.db'));
  db.pragma('journal_mode = DELETE');
  // Rows that the fixture lacks: a table that is empty on both sides proves nothing.
  db.exec(`INSERT INTO inbound_fallbacks (master_id, child_id, name, alpn, path, dest, xver) VALUES (1, 2, 'fb', '', '/x', '', 1);
    INSERT INTO outbound_traffics (tag, up, down) VALUES ('out', 9007199254740991, 5);
    INSERT INTO outbound_subscriptions (remark, url, enabled, allow_private, tag_prefix, created_at) VALUES ('p', 'https://p.example/', 1, 0, 'x', 7);
    INSERT INTO nodes (name, cpu_pct, enable) VALUES ('far', 12.5, 1);
    UPDATE clients SET comment = 'tab' || char(9) || 'line' || char(10) || 'back\\slash' || char(8232) || 'end \\N' WHERE id = 7`);
  await fillServer(db, address);
  db.close();
  for (const [name, format] of [
    ['panel.pgdump', 'custom'],
    ['panel.sql', 'plain'],
  ] as const)
    execFileSync(join(programs, 'pg_dump'), [`--format=${format}`, `--file=${file(name)}`, address]);
  await (await openStore({ dataDir: folder, clock: Date.now, log })).close();
});
afterAll(async () => {
  await dropDatabase(home);
  for (const one of [home, folder]) await rm(one, { recursive: true, force: true });
});

/** The column types that its ORM uses on PostgreSQL. */
const TYPES: Readonly<Record<string, string>> = {
  integer: 'bigint',
  text: 'text',
  numeric: 'boolean',
  real: 'numeric',
};

async function fillServer(db: Database.Database, url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  const tables = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`).pluck();
  for (const table of tables.all() as string[]) {
    const columns = db.pragma(`table_info(${quoted(table)})`) as { name: string; type: string; pk: number }[];
    const declared = columns.map(({ name, type, pk }) =>
      name === 'id' && pk === 1 ? 'id bigserial PRIMARY KEY' : `${quoted(name)} ${TYPES[type.toLowerCase()]!}`,
    );
    const key = columns.filter(({ pk, name }) => pk > 0 && name !== 'id').map(({ name }) => quoted(name));
    if (key.length > 0) declared.push(`PRIMARY KEY (${key.join(', ')})`);
    await client.query(`CREATE TABLE ${quoted(table)} (${declared.join(', ')})`);
    const marks = columns.map((_, at) => `$${at + 1}`).join(', ');
    for (const row of db
      .prepare(`SELECT * FROM ${quoted(table)}`)
      .safeIntegers()
      .raw()
      .iterate() as Iterable<unknown[]>)
      await client.query(
        `INSERT INTO ${quoted(table)} VALUES (${marks})`,
        row.map((value, at) =>
          TYPES[columns[at]!.type.toLowerCase()] === 'boolean' && value !== null ? value === 1n : value,
        ),
      );
  }
  // Changed rows are stored after the others.
  await client.query(
    'UPDATE clients SET comment = comment WHERE id % 3 = 0; UPDATE client_inbounds SET created_at = created_at WHERE client_id % 5 = 0',
  );
  await client.end();
}

const deps = (): RestoreDeps => {
  said = [];
  return {
    dataDir: folder,
    log,
    isPanelRunning: () => false,
    say: (line) => void said.push(line),
    readPassphrase: null,
  };
};

/** The plan of an import, and every row that it would add to the panel. */
async function resultOf(command: () => Promise<string>): Promise<{ plan: string; rows: string }> {
  const plan = await command();
  const staged = stagedFile(folder);
  let rows = '';
  for await (const part of sqlDump(staged)) rows += part;
  await rm(dirname(staged), { recursive: true });
  const secrets = await openSecrets({ dataDir: folder, log, clock: Date.now });
  return {
    plan,
    rows: rows
      // Sealed differently each time.
      .replaceAll(
        /'(\w+)','(v1:[^']+)'/g,
        (_, key: string, sealed: string) => `'${key}','${secrets.open(key, sealed)}'`,
      )
      // Time of the import.
      .replaceAll(/\b\d{13}\b/g, (at) => (Math.abs(Number(at) - Date.now()) < 600_000 ? 'now' : at)),
  };
}

describe('another panel’s database on PostgreSQL', () => {
  it('yields the same as its database file: from the server, and from files of pg_dump', async () => {
    const live = { isDryRun: false };
    const expected = await resultOf(() => restoreCommand(deps(), file('panel.db'), live));
    expect(expected.plan).toContain('"clients":400');
    for (const table of ['clients', 'inboundFallbacks', 'outboundTraffics', 'outboundSubs', 'hosts', 'apiTokens'])
      expect(expected.rows).toContain(`INSERT INTO "${table}"`);
    const given = [
      () => importCommand(deps(), address, { ...live, allowsPrivate: true }),
      () => restoreCommand(deps(), file('panel.pgdump'), live),
      () => restoreCommand(deps(), file('panel.sql'), live),
    ];
    for (const command of given) expect(await resultOf(command)).toEqual(expected);
    expect(said.at(-1)).toMatch(/^The panel starts with it the next time\./);
  });

  it('is only previewed on request', async () => {
    const plan = await importCommand(deps(), address, { isDryRun: true, allowsPrivate: true });
    expect(JSON.parse(plan)).toMatchObject({ kind: 'otherPanel', counts: { clients: 400, inbounds: 14 } });
    expect(said.at(-1)).toBe('Nothing was changed.');
  });

  it('is not queried if its address is blocked, contains a password, or holds no panel', async () => {
    const dryRun = (from: string, allowsPrivate = false) =>
      importCommand(deps(), from, { isDryRun: true, allowsPrivate });
    await expect(dryRun(address)).rejects.toThrow('import.addressBlocked');
    await expect(dryRun('postgres://panel@127.0.0.1:1/x')).rejects.toMatchObject({
      code: 'import.addressBlocked',
      params: { reason: 'blocked private/internal address 127.0.0.1' },
    });
    await expect(dryRun('postgres://panel@localhost:1/x')).rejects.toThrow('import.addressBlocked');
    await expect(dryRun('postgres://panel@169.254.169.254/x', true)).rejects.toThrow('import.addressBlocked');
    await expect(dryRun('postgres://panel@127.0.0.1:1/x', true)).rejects.toThrow('store.unreachable');
    await expect(dryRun('postgres://panel:secret@db.example/x')).rejects.toThrow('import.passwordShows');
    await expect(dryRun('postgres://panel@db.example/x?password=secret')).rejects.toThrow('import.passwordShows');
    await expect(dryRun(inject('postgres')!.url, true)).rejects.toMatchObject({
      code: 'import.failed',
      params: { reason: 'not a panel database: required table "inbounds" is missing' },
    });
  });

  it('takes its password from a file', async () => {
    const owner = new Client(address);
    await owner.connect();
    await owner.query(`CREATE ROLE importer LOGIN SUPERUSER PASSWORD 'a right:one@'`);
    const from = address.replace('panel@', 'importer@');
    const dryRun = () => importCommand(deps(), from, { isDryRun: true, allowsPrivate: true });
    try {
      await expect(dryRun()).rejects.toThrow(/store\.(signInRefused|unreachable)/);
      writeFileSync(file('password'), 'a right:one@\n');
      process.env['IMPORT_PASSWORD_FILE'] = file('password');
      expect(JSON.parse(await dryRun())).toMatchObject({ counts: { clients: 400 } });
    } finally {
      delete process.env['IMPORT_PASSWORD_FILE'];
      await owner.query('DROP ROLE importer');
      await owner.end();
    }
  });
});

it('leaves who gets into a panel on a server as it is at the restart, not as it was at the staging', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  await copyDatabase('template0', dataDir);
  const open = () => openStore({ dataDir, database: databaseOf(dataDir)!, isPanel: true, clock: Date.now, log });
  const token = (name: string) => ({ name, tokenHash: name, enabled: 1 as const, createdAtMs: 1 });
  const store = await open();
  try {
    await store.write(async (trx) => {
      await trx.insertInto('apiTokens').values(['own-kept', 'own-revoked'].map(token)).execute();
      await trx
        .insertInto('admins')
        .values({ username: 'me', passwordHash: 'old', loginEpoch: 1, lastTotpStep: 0, createdAtMs: 1, updatedAtMs: 1 })
        .execute();
    });
    const imports = createImportService({
      files: createCertificateStore(join(dataDir, 'cert')),
      dataDir,
      backupFolder: store.backupFolder,
      postgresFiles: 'archives',
      secrets: await openSecrets({ dataDir, log, clock: Date.now }),
      own: () => readOwn(store.reader),
      runningJobs: () => [],
      restartPanel: () => undefined,
      publish: () => undefined,
      clock: Date.now,
      log,
    });
    const { counts } = await imports.import(file('panel.db'), { keepHostSettings: true, passphrase: '' });
    await store.write(async (trx) => {
      await trx.deleteFrom('apiTokens').where('name', '=', 'own-revoked').execute();
      await trx.insertInto('apiTokens').values(token('own-new')).execute();
      await trx.updateTable('admins').set({ passwordHash: 'new', loginEpoch: 2 }).execute();
      await trx.insertInto('settings').values({ key: 'twoFactorEnable', value: 'true' }).execute();
    });
    await store.close();
    const again = await open();
    const { reader } = again;
    const names = (await reader.selectFrom('apiTokens').select('name').execute()).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('own-')).toSorted()).toEqual(['own-kept', 'own-new']);
    expect(names).toHaveLength(2 + counts.apiTokens);
    expect(await reader.selectFrom('admins').select(['username', 'passwordHash', 'loginEpoch']).execute()).toEqual([
      { username: 'me', passwordHash: 'new', loginEpoch: 2 },
    ]);
    const secondFactor = reader.selectFrom('settings').select('value').where('key', '=', 'twoFactorEnable');
    expect(await secondFactor.execute()).toEqual([{ value: 'true' }]);
    // Ids go on after those that are taken.
    await again.write((trx) =>
      trx
        .insertInto('apiTokens')
        .values(token('later'))
        .execute()
        .then(() => undefined),
    );
    await again.close();
  } finally {
    await store.close();
    await dropDatabase(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  }
});

describe('an invalid dump', () => {
  it.each([
    ['a dump of INSERT statements', ['--inserts'], /rows are INSERT statements/],
    ['other texts', ['--encoding=WIN1252', '--schema-only'], /texts are in WIN1252/],
  ])('%s', async (_what, options, reason) => {
    execFileSync(join(programs, 'pg_dump'), [...options, `--file=${file('odd.sql')}`, address]);
    await expect(restoreCommand(deps(), file('odd.sql'), { isDryRun: true })).rejects.toMatchObject({
      code: 'import.failed',
      params: { reason: expect.stringMatching(reason) as string },
    });
  });

  it('truncated in the middle', async () => {
    const text = readFileSync(file('panel.sql'));
    const inRows = text.indexOf('client-200@example.org');
    const betweenTables = text.indexOf('\n\\.\n', inRows) + '\n\\.\n'.length;
    for (const [end, reason] of [
      [inRows, /^Invalid or corrupt db file: a row of "\w+" has \d+ values$/],
      [betweenTables, /^Invalid or corrupt db file: its end is missing$/],
    ] as const) {
      writeFileSync(file('cut.sql'), text.subarray(0, end));
      await expect(restoreCommand(deps(), file('cut.sql'), { isDryRun: true })).rejects.toMatchObject({
        code: 'import.failed',
        params: { reason: expect.stringMatching(reason) as string },
      });
    }
    const archive = readFileSync(file('panel.pgdump'));
    writeFileSync(file('cut.pgdump'), archive.subarray(0, archive.length / 2));
    await expect(restoreCommand(deps(), file('cut.pgdump'), { isDryRun: true })).rejects.toMatchObject({
      code: 'import.failed',
      params: { reason: expect.stringMatching(/^Invalid or corrupt db file: /) as string },
    });
  });
});
