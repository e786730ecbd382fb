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
import type { Schema } from '../../store/schema.ts';
import { inspectKeyFile, peekSecrets } from '../../store/secrets/secret-key.ts';
import { openSqlite } from '../../store/sqlite-connection.ts';
import { sqliteDialect } from '../../store/sqlite-dialect.ts';
import { fine, todo, type Finding } from './finding.ts';

/** `isReadable`: whether the rest of the doctor can read settings from it. */
export async function checkDatabase(dataDir: string): Promise<{ findings: Finding[]; isReadable: boolean }> {
  const complaint = await checkIntegrity(join(dataDir, DATABASE_NAME));
  if (complaint !== null) {
    const remedy = 'Stop the panel and start it again: it puts the file aside and opens the newest good backup.';
    return { findings: [todo(`The database is damaged (${complaint}). ${remedy}`)], isReadable: false };
  }
  return withReader(dataDir, async (db) => {
    const version = await schemaVersion(db as unknown as Kysely<unknown>);
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

/** Settings and template as stored, with what is wrong with them. */
export async function readForDoctor(
  dataDir: string,
): Promise<{ settings: Settings; template: JsonObject; findings: Finding[] }> {
  const keyFile = await inspectKeyFile(dataDir);
  const secrets = await peekSecrets(dataDir);
  return withReader(dataDir, async (db) => {
    const { settings, complaints } = fromStored(await readRows(db, SETTING_KEYS), secrets);
    const template = parseJsonObject((await readRow(db, 'coreTemplateConfig')) ?? '') ?? defaultTemplate();
    const findings = complaints
      // In the operating system's key store only the desktop application can read them.
      .filter(({ problem }) => problem === 'invalidValue' || keyFile !== 'inKeyStore')
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

/** Reads beside whoever writes. */
export async function withReader<T>(dataDir: string, work: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
  const connection = openSqlite(join(dataDir, DATABASE_NAME), 'readOnly');
  try {
    return await work(new Kysely<Schema>({ dialect: sqliteDialect(connection, 'shared') }));
  } finally {
    connection.close();
  }
}
