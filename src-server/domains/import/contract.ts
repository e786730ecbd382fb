import * as z from 'zod';
import { Reason } from '../../contract/envelope.ts';
import { endpoint } from '../../contract/endpoint.ts';

const BASE = '/panel/api/server';

/** What a file holds: a database of this panel, or of the well-known Go panel of the same API. */
export const ImportKind = z.enum(['own', 'otherPanel']);
export type ImportKind = z.infer<typeof ImportKind>;

/** What an import brings, found out on a scratch copy. */
export const ImportPlan = z.object({
  /** `own`: of this panel; `otherPanel`: of the well-known Go panel with the same API. */
  kind: ImportKind,
  /** Version of the file's schema; 0 for another panel's. */
  version: z.int(),
  /** How much comes, by kind. */
  counts: z.object({
    /** Inbounds that come. */
    inbounds: z.int(),
    /** Clients that come. */
    clients: z.int(),
    /** Places of clients on inbounds that come. */
    attachments: z.int(),
    /** Groups that come. */
    groups: z.int(),
    /** Hosts that come. */
    hosts: z.int(),
    /** Links from elsewhere that come. */
    externalLinks: z.int(),
    /** Settings that come. */
    settings: z.int(),
    /** API tokens that come. */
    apiTokens: z.int(),
  }),
  /** What comes, for people; at most 500, the counts are complete. */
  willCome: z.array(
    z.object({
      /** What kind of thing it is, as in `counts`. */
      what: z.string(),
      /** How it is called. */
      name: z.string(),
    }),
  ),
  /** What is left out or comes changed, with the reason; at most 500. */
  cannotCome: z.array(
    Reason.extend({
      /** What kind of thing it is, in English. */
      what: z.string(),
      /** The same as a word for programs. */
      kind: z.string(),
      /** How it is called. */
      name: z.string(),
    }),
  ),
  /** Keys of certificates in the file: `none`, `locked` until the passphrase is given, or `open`. */
  certificates: z.enum(['none', 'locked', 'open']),
  /** Keys of this machine's own settings that stay as they are here. */
  settingsKept: z.array(z.string()),
});
export type ImportPlan = z.infer<typeof ImportPlan>;

/** Opens the keys of certificates in a backup; empty = they stay behind. */
const Passphrase = z.string().max(1024).default('');

/** Multipart with the file in the field `db`. */
const Upload = z.object({
  /**
   * `true`: ports, certificate files, paths and identity stay those of this machine; `false`: they come from the file,
   * as for a clone of its machine.
   */
  keepHostSettings: z.string().max(16).default('true'),
  /** Opens the keys of certificates in it; empty = they stay behind. */
  passphrase: Passphrase,
});

export const importDb = endpoint('POST', `${BASE}/importDB`, {
  summary: 'Replaces the database by the uploaded one (field db) after checking it on a copy; the panel restarts.',
  body: Upload,
  encoding: 'upload',
  result: ImportPlan,
  message: 'import.done',
});

export const importPreview = endpoint('POST', `${BASE}/importDB/preview`, {
  summary: 'What an import of the uploaded file (field db) would bring; changes nothing.',
  body: Upload,
  encoding: 'upload',
  result: ImportPlan,
});

export const previewBackup = endpoint('POST', `${BASE}/backups/:name/preview`, {
  summary: 'What going back to an automatic backup would bring; changes nothing.',
  params: z.object({
    /** Name of the backup, as the list has it. */
    name: z.string().max(128),
  }),
  body: z.object({
    /** Opens the keys of certificates in it; empty = they stay behind. */
    passphrase: Passphrase,
  }),
  result: ImportPlan,
});

export const restoreBackup = endpoint('POST', `${BASE}/backups/:name/restore`, {
  summary: 'Goes back to an automatic backup; the panel restarts.',
  params: z.object({
    /** Name of the backup, as the list has it. */
    name: z.string().max(128),
  }),
  body: z.object({
    /** The name of the backup once more, typed by a person. */
    confirm: z.string().max(128),
    /** Opens the keys of certificates in it; empty = they stay behind. */
    passphrase: Passphrase,
  }),
  result: ImportPlan,
  message: 'import.done',
});

/** How the last import ended, to be shown after the restart; null when there was none. */
export const ImportResult = z
  .object({
    /** When it ended, in ms since 1970. */
    at: z.int(),
    /** `imported`: it is in force; `undone`: the panel did not start with it, and the database before came back. */
    outcome: z.enum(['imported', 'undone']),
    /** Name of the automatic backup that holds the database before the import; empty when there was none. */
    backup: z.string(),
  })
  .nullable();
export type ImportResult = z.infer<typeof ImportResult>;

export const importResult = endpoint('GET', `${BASE}/importDB/outcome`, {
  summary: 'How the last import ended: in force, or undone because the panel did not start with it.',
  result: ImportResult,
});
