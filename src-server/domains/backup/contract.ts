import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

const BASE = '/panel/api/server';

export const getDb = endpoint('GET', `${BASE}/getDb`, {
  summary: 'A consistent copy of the database. It contains every secret of the panel, but no key of a certificate.',
  result: z.string(),
  answer: 'attachment',
});

export const getMigration = endpoint('GET', `${BASE}/getMigration`, {
  summary:
    'The portable dump: the database as SQL text, or as a database file where it is on a server. It contains every secret of the panel.',
  result: z.string(),
  answer: 'attachment',
});

/** A backup that the panel took by itself. */
export const AutomaticBackup = z.object({
  /** Name of the file, which names the backup in calls. */
  name: z.string(),
  /** When it was taken, in ms since 1970. */
  takenAt: z.int(),
  /**
   * Why it was taken: `daily`, `stop`, `migration` and others; `certificates` is one with keys, which a passphrase
   * opens.
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
    /** Name of the backup, as the list has it. */
    name: z.string().max(128),
  }),
  result: z.string(),
  answer: 'attachment',
});

/** Long enough that nobody tries them all; what it seals lies wherever backups lie. */
const MIN_PASSPHRASE = 12;
/** Opens the keys of certificates in a backup. */
const BackupPassphrase = z.string().min(MIN_PASSPHRASE).max(1024);

export const takeBackup = endpoint('POST', `${BASE}/backups/take`, {
  summary: 'Takes a backup with the keys of certificates and of accounts with authorities, sealed with a passphrase.',
  body: z.object({
    /** Opens the keys in it later; at least 12 characters. */
    passphrase: BackupPassphrase,
  }),
  encoding: 'json',
  result: z.object({
    /** Name of the backup, as the list has it. */
    name: z.string(),
    /** How many certificates have their keys in it. */
    certificates: z.int(),
  }),
});
