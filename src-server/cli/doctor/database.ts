import { Kysely } from 'kysely';
import { join } from 'node:path';
import type { JsonObject } from '../../contract/json.ts';
import { parseJsonObject } from '../../contract/json-text.ts';
import { defaultTemplate } from '../../core/config/template/default-template.ts';
import type { Settings } from '../../domains/settings/contract.ts';
import { readRow, readRows } from '../../domains/settings/repository.ts';
import { fromStored, SETTING_KEYS } from '../../domains/settings/stored-values.ts';
import { checkIntegrity } from '../../store/integrity.ts';
import { LATEST_VERSION, schemaVersion } from '../../store/migrate.ts';
import { DATABASE_NAME } from '../../store/open-store.ts';
import type { Db, Schema } from '../../store/schema.ts';
import { inspectKeyFile, peekSecrets } from '../../store/secrets/secret-key.ts';
import { createSecrets } from '../../store/secrets/secrets.ts';
import { openSqlite } from '../../store/sqlite/sqlite-connection.ts';
import { sqliteDialect } from '../../store/sqlite/sqlite-dialect.ts';
import { IN_TABLE } from '../../store/postgres/schema/version-place.ts';
import { databaseFrom } from '../database-address.ts';
import { errorText } from '../say-error.ts';
import { fine, todo, type Finding } from './finding.ts';

/** `isReadable`: whether the rest of the doctor can read settings from it. */
export async function checkDatabase(dataDir: string): Promise<{ findings: Finding[]; isReadable: boolean }> {
  if ((await databaseFrom(null)) !== null) return checkServer(dataDir);
  let complaint: string | null;
  try {
    complaint = await checkIntegrity(join(dataDir, DATABASE_NAME));
  } catch (error) {
    const words = errorText(error);
    if (words === null) throw error;
    return { findings: [todo(words)], isReadable: false };
  }
  if (complaint !== null) {
    const remedy = 'Stop the panel and start it again: it puts the file aside and opens the newest good backup.';
    return { findings: [todo(`The database is damaged (${complaint}). ${remedy}`)], isReadable: false };
  }
  return withReader(dataDir, async (db) => {
    const version = await versionOf(db);
    const sound = fine('The database is sound.');
    if (version > LATEST_VERSION) {
      const text = `The database is from a newer panel (${version}, this program knows ${LATEST_VERSION}). Update this program.`;
      return { findings: [sound, todo(text)], isReadable: false };
    }
    if (version < LATEST_VERSION)
      return { findings: [sound, fine('The next start brings the database up to date.')], isReadable: version > 0 };
    return { findings: [sound], isReadable: true };
  });
}

/** Queries a database server; its files are the server's own matter. */
async function checkServer(dataDir: string): Promise<{ findings: Finding[]; isReadable: boolean }> {
  try {
    const version = await withReader(dataDir, versionOf);
    if (version === LATEST_VERSION) return { findings: [fine('The database server answers.')], isReadable: true };
    const text =
      version > LATEST_VERSION
        ? `The database is from a newer panel (${version}, this program knows ${LATEST_VERSION}). Update this program.`
        : 'The next start brings the database up to date.';
    return { findings: [version > LATEST_VERSION ? todo(text) : fine(text)], isReadable: false };
  } catch (error) {
    const words = errorText(error);
    if (words === null) throw error;
    return { findings: [todo(words)], isReadable: false };
  }
}

/** Settings and template as stored, with their faults. */
export async function readForDoctor(
  dataDir: string,
): Promise<{ settings: Settings; template: JsonObject; findings: Finding[] }> {
  const keyFile = await inspectKeyFile(dataDir);
  const isKeyKnown = keyFile !== 'inKeyStore' && keyFile !== 'unreadable';
  const secrets = keyFile === 'unreadable' ? createSecrets(null) : await peekSecrets(dataDir);
  return withReader(dataDir, async (db) => {
    const { settings, complaints } = fromStored(await readRows(db, SETTING_KEYS), secrets);
    const template = parseJsonObject((await readRow(db, 'coreTemplateConfig')) ?? '') ?? defaultTemplate();
    const findings = complaints
      // Keys in the operating system's key store can only be read by the desktop application.
      .filter(({ problem }) => problem === 'invalidValue' || isKeyKnown)
      .map(({ setting, problem }) => {
        if (problem === 'invalidValue')
          return todo(
            `The stored value of ${setting} is not valid and its default is used. Set it again: settings set ${setting} VALUE`,
          );
        if (setting === 'twoFactorToken' && settings.twoFactorEnable)
          return todo(
            'Two-factor sign-in is on but its secret cannot be read, so nobody can sign in. Switch it off: user reset --disable-2fa',
          );
        return todo(
          `The stored ${setting} cannot be read with this folder's secret.key. Enter it again: settings set ${setting}`,
        );
      });
    return { settings, template, findings: findings.length > 0 ? findings : [fine('All settings can be read.')] };
  });
}

/** Version of the schema, wherever it is stored. */
export async function versionOf(db: Db): Promise<number> {
  const bare = db as unknown as Kysely<unknown>;
  return (await databaseFrom(null)) === null ? schemaVersion(bare) : IN_TABLE.read(bare);
}

/** Reads while another process writes. */
export async function withReader<T>(dataDir: string, work: (db: Db) => Promise<T>): Promise<T> {
  const address = await databaseFrom(null);
  if (address !== null) {
    const { withServer } = await import('../../store/postgres/connection/with-server.ts');
    return withServer(address, work);
  }
  const connection = openSqlite(join(dataDir, DATABASE_NAME), 'readOnly');
  try {
    return await work(new Kysely<Schema>({ dialect: sqliteDialect(connection, 'shared') }));
  } finally {
    connection.close();
  }
}
