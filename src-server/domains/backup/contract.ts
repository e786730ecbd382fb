import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

const BASE = '/panel/api/server';

export const getDb = endpoint('GET', `${BASE}/getDb`, {
  summary: 'A consistent copy of the database. It contains every secret of the panel, but no key of a certificate.',
  result: z.string(),
  response: 'attachment',
});

export const getMigration = endpoint('GET', `${BASE}/getMigration`, {
  summary:
    'The portable dump: the database as SQL text, or as a database file where it is on a server. It contains every secret of the panel.',
  result: z.string(),
  response: 'attachment',
});

/** A backup that the panel took automatically. */
export const AutomaticBackup = z.object({
  /** File name, which identifies the backup in calls. */
  name: z.string(),
  /** When it was taken, in ms since 1970. */
  takenAt: z.int(),
  /**
   * Why it was taken: `daily`, `stop`, `migration` and others. `certificates` marks a backup that includes certificate
   * keys, which need a passphrase.
   */
  reason: z.string(),
  /** Size in bytes. */
  size: z.int(),
});
export type AutomaticBackup = z.infer<typeof AutomaticBackup>;

export const listAutomaticBackups = endpoint('GET', `${BASE}/backups`, {
  summary: 'The automatic backups in the data folder, newest first.',
  result: z.array(AutomaticBackup),
});

export const downloadAutomaticBackup = endpoint('GET', `${BASE}/backups/:name/download`, {
  summary: 'One automatic backup. It contains every secret of the panel.',
  params: z.object({
    /** Name of the backup, as in the list. */
    name: z.string().max(128),
  }),
  result: z.string(),
  response: 'attachment',
});

/** Long enough to resist guessing; the sealed part is stored wherever backups are. */
const MIN_PASSPHRASE = 12;
/** Passphrase for the certificate keys in the backup. */
const BackupPassphrase = z.string().min(MIN_PASSPHRASE).max(1024);

export const takeBackup = endpoint('POST', `${BASE}/backups/take`, {
  summary: 'Takes a backup with the keys of certificates and of accounts with authorities, sealed with a passphrase.',
  body: z.object({
    /** Passphrase that will open the keys later; at least 12 characters. */
    passphrase: BackupPassphrase,
  }),
  encoding: 'json',
  result: z.object({
    /** Name of the backup, as in the list. */
    name: z.string(),
    /** Number of certificates whose keys are included. */
    certificates: z.int(),
  }),
});
