import type Database from 'better-sqlite3';

/** Made when first needed: where this machine has none, the imported one is the only copy and stays. */
const MADE_LATE = [
  'nodeMtlsCaCertPem',
  'nodeMtlsCaKeyPem',
  'nodeMtlsClientCertPem',
  'nodeMtlsClientKeyPem',
  'nodeMtlsClientCertSha256',
];

/** What makes up this machine rather than the configuration that an import carries. */
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
 * Gives a scratch database this machine's own settings. One that is absent here is removed there, because absence means
 * that the default is in force.
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
 * Gives a scratch database this machine's own certificates: the settings that stay name their files, and those of another
 * machine would be ordered here for names that lead there.
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
