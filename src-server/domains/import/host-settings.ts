import type Database from 'better-sqlite3';

/** Created on demand: if this machine has none, the imported value is the only copy and is kept. */
const MADE_LATE = [
  'nodeMtlsCaCertPem',
  'nodeMtlsCaKeyPem',
  'nodeMtlsClientCertPem',
  'nodeMtlsClientKeyPem',
  'nodeMtlsClientCertSha256',
];

/** Settings that belong to this machine rather than to the imported configuration. */
export const HOST_SETTINGS: readonly string[] = [
  'webListen',
  'webDomain',
  'webPort',
  'webCertFile',
  'webKeyFile',
  'webBasePath',
  'subListen',
  'subDomain',
  'subPort',
  'subCertFile',
  'subKeyFile',
  'subURI',
  'subJsonURI',
  'subYamlURI',
  'secret',
  'panelGuid',
  'nodesFindPanelAt',
  'nodeMtlsClientCAPem',
  ...MADE_LATE,
];

/**
 * Writes this machine's own settings into a scratch database. A setting absent here is removed there, because absence
 * means that the default is in force.
 * @param live settings of this panel as stored
 */
export function keepHostSettings(scratch: Database.Database, live: ReadonlyMap<string, string>): void {
  const remove = scratch.prepare('DELETE FROM settings WHERE key = ?');
  const write = scratch.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
  for (const key of HOST_SETTINGS) {
    const value = live.get(key);
    if (value !== undefined) write.run(key, value);
    else if (!MADE_LATE.includes(key)) remove.run(key);
  }
}

/**
 * Writes this machine's own certificates into a scratch database: the kept settings refer to their files, and
 * certificates of another machine would be ordered here for names that point there.
 */
export function keepCertificates(scratch: Database.Database, own: readonly Record<string, string | number>[]): void {
  scratch.exec('DELETE FROM certificates');
  for (const row of own) {
    const columns = Object.keys(row);
    scratch
      .prepare(`INSERT INTO certificates (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
      .run(Object.values(row));
  }
}
