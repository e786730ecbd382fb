import * as z from 'zod';
import { Reason } from '../../contract/envelope.ts';
import { endpoint } from '../../contract/endpoint.ts';

const BASE = '/panel/api/server';

/** Content of a file: a database of this panel, or of the well-known Go panel with the same API. */
export const ImportKind = z.enum(['own', 'otherPanel']);
export type ImportKind = z.infer<typeof ImportKind>;

/** What an import contains, determined on a scratch copy. */
export const ImportPlan = z.object({
  /** `own`: from this panel; `otherPanel`: from the well-known Go panel with the same API. */
  kind: ImportKind,
  /** Version of the file's schema; 0 for another panel's. */
  version: z.int(),
  /** Numbers of imported things, by kind. */
  counts: z.object({
    /** Inbounds that will be imported. */
    inbounds: z.int(),
    /** Clients that will be imported. */
    clients: z.int(),
    /** Attachments of clients to inbounds that will be imported. */
    attachments: z.int(),
    /** Groups that will be imported. */
    groups: z.int(),
    /** Hosts that will be imported. */
    hosts: z.int(),
    /** External links that will be imported. */
    externalLinks: z.int(),
    /** Settings that will be imported. */
    settings: z.int(),
    /** API tokens that will be imported. */
    apiTokens: z.int(),
  }),
  /** Imported things by name; at most 500, while the counts are complete. */
  willCome: z.array(
    z.object({
      /** Kind of the thing, as in `counts`. */
      what: z.string(),
      /** Name of the thing. */
      name: z.string(),
    }),
  ),
  /** Things that are left out or changed by the import, with the reason; at most 500 of each kind. */
  cannotCome: z.array(
    Reason.extend({
      /** Kind of the thing, in English. */
      what: z.string(),
      /** The same as a code for programs. */
      kind: z.string(),
      /** Name of the thing. */
      name: z.string(),
    }),
  ),
  /** Keys of certificates in the file: `none`, `locked` until the passphrase is given, or `open`. */
  certificates: z.enum(['none', 'locked', 'open']),
  /** Names of this machine's own settings that are kept. */
  settingsKept: z.array(z.string()),
});
export type ImportPlan = z.infer<typeof ImportPlan>;

/** Passphrase for the keys of certificates in a backup; empty = they are not imported. */
const Passphrase = z.string().max(1024).default('');

/** Multipart with the file in the field `db`. */
const Upload = z.object({
  /**
   * `true`: ports, certificate files, paths and identity of this machine are kept; `false`: they come from the file, as
   * for a clone of its machine.
   */
  keepHostSettings: z.string().max(16).default('true'),
  /** Passphrase for the keys of certificates in it; empty = they are not imported. */
  passphrase: Passphrase,
});

export const importDb = endpoint('POST', `${BASE}/importDB`, {
  summary: 'Replaces the database by the uploaded one (field db) after checking it on a copy; the panel restarts.',
  body: Upload,
  encoding: 'upload',
  fileField: 'db',
  result: ImportPlan,
  message: 'import.done',
});

export const importPreview = endpoint('POST', `${BASE}/importDB/preview`, {
  summary: 'What an import of the uploaded file (field db) would bring; changes nothing.',
  body: Upload,
  encoding: 'upload',
  fileField: 'db',
  result: ImportPlan,
});

export const previewBackup = endpoint('POST', `${BASE}/backups/:name/preview`, {
  summary: 'What going back to an automatic backup would bring; changes nothing.',
  params: z.object({
    /** Name of the backup, as in the list. */
    name: z.string().max(128),
  }),
  body: z.object({
    /** Passphrase for the keys of certificates in it; empty = they are not imported. */
    passphrase: Passphrase,
  }),
  result: ImportPlan,
});

export const restoreBackup = endpoint('POST', `${BASE}/backups/:name/restore`, {
  summary: 'Goes back to an automatic backup; the panel restarts.',
  params: z.object({
    /** Name of the backup, as in the list. */
    name: z.string().max(128),
  }),
  body: z.object({
    /** The name of the backup again, typed by a person as confirmation. */
    confirm: z.string().max(128),
    /** Passphrase for the keys of certificates in it; empty = they are not imported. */
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
    /**
     * `imported`: it is in force; `undone`: the panel did not start with it, and the previous database was restored.
     */
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
