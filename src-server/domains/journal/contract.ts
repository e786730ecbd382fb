import * as z from 'zod';
import { ACTORS } from '../../contract/act.ts';
import { endpoint } from '../../contract/endpoint.ts';

const BASE = '/panel/api/journal';
const Id = z.object({ id: z.coerce.number().int().min(1) });

export const JOURNAL_KINDS = [
  'inbound',
  'client',
  'host',
  'group',
  'template',
  'setting',
  'node',
  'token',
  'webhook',
  'outboundSub',
  'admin',
  'bin',
  'plan',
  'certificate',
  'view',
  'ticket',
  'master',
] as const;
export const JournalKind = z.enum(JOURNAL_KINDS);
export type JournalKind = z.output<typeof JournalKind>;

/** What an entry did to things of one kind, with the first five by name. */
export const JournalPart = z.object({
  kind: JournalKind,
  action: z.enum(['added', 'changed', 'deleted', 'reset']),
  count: z.int(),
  names: z.array(z.string()),
  /** What changed of those that were only changed. */
  fields: z.array(z.string()),
});
export type JournalPart = z.output<typeof JournalPart>;

export const JournalEntry = z.object({
  id: z.int(),
  /** Ms since the epoch. */
  at: z.int(),
  actor: z.enum(ACTORS),
  /** User name, name of the token, chat of the bot; empty where there is none. */
  name: z.string(),
  address: z.string(),
  /** Method and path of the call, or the command. */
  verb: z.string(),
  parts: z.array(JournalPart),
  rowCount: z.int(),
  /** Entry that this one takes back, 0 = none; and the one that took this back, 0 = it stands. */
  undoOf: z.int(),
  undoneBy: z.int(),
  /** Whether it can be asked for; empty = yes, else a code of the refusal. */
  undoRefusal: z.string(),
  /** Chained: over the entry, its rows and the hash of the entry before. */
  hash: z.string(),
});
export type JournalEntry = z.output<typeof JournalEntry>;

/** One value that changed. Secrets say only that they did. */
export const JournalField = z.object({
  name: z.string(),
  before: z.union([z.string(), z.number(), z.null()]),
  after: z.union([z.string(), z.number(), z.null()]),
  isSecret: z.boolean(),
});
export type JournalField = z.output<typeof JournalField>;

export const JournalRow = z.object({
  kind: JournalKind,
  /** Name of what was changed, or its number where it is gone. */
  subject: z.string(),
  /** The part of it: `clients`, `clientInbounds` … */
  table: z.string(),
  action: z.enum(['added', 'changed', 'deleted', 'reset']),
  fields: z.array(JournalField),
});
export type JournalRow = z.output<typeof JournalRow>;

const Filters = {
  actor: z.enum(['', ...ACTORS]).default(''),
  kind: z.enum(['', ...JOURNAL_KINDS]).default(''),
  /** Part of a name, of who did it or of an address. */
  search: z.string().max(256).default(''),
  /** Ms since the epoch, 0 = no bound. */
  from: z.coerce.number().int().min(0).default(0),
  to: z.coerce.number().int().min(0).default(0),
  /** As sent in `X-Request-Id`: the entries of one request. */
  requestId: z.string().max(128).default(''),
};
const Query = z.object(Filters);
export type JournalQuery = z.output<typeof Query>;

export const listJournal = endpoint({
  method: 'GET',
  path: `${BASE}/list`,
  summary: 'What was changed on request, newest first; `before` is the id of the last entry of the page before.',
  query: z.object({
    ...Filters,
    before: z.coerce.number().int().min(0).default(0),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  result: z.object({ entries: z.array(JournalEntry), hasMore: z.boolean() }),
});

export const readJournalEntry = endpoint({
  method: 'GET',
  path: `${BASE}/entry/:id`,
  summary: 'One entry with its rows, before and after, a hundred at a time; secrets are left out.',
  params: Id,
  query: z.object({ skip: z.coerce.number().int().min(0).default(0) }),
  result: z.object({ entry: JournalEntry, rows: z.array(JournalRow), hasMore: z.boolean() }),
});

export const exportJournal = endpoint({
  method: 'GET',
  path: `${BASE}/export`,
  summary: 'The entries of these filters as a file, at most 100,000, newest first.',
  query: z.object({ ...Filters, format: z.enum(['csv', 'json']).default('csv') }),
  result: z.string(),
  answer: 'attachment',
});

/** What an undo would do, and what stands in its way. */
export const UndoPreview = z.object({
  /** What happens to what, from here. */
  parts: z.array(JournalPart),
  /** The first rows as they would be put back. */
  rows: z.array(JournalRow),
  hasMore: z.boolean(),
  /** Why it is refused; empty = it is not. `entryId` is what has to be taken back first, 0 = no entry. */
  refusals: z.array(
    z.object({
      code: z.string(),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
      msg: z.string(),
      entryId: z.int(),
    }),
  ),
});
export type UndoPreview = z.output<typeof UndoPreview>;

export const UndoResult = z.object({
  /** The entry of the undo itself, which can be taken back in turn. */
  entryId: z.int(),
  parts: z.array(JournalPart),
  /** Stored, but the core did not take it: its words. */
  coreError: z.string(),
  /** A node concerned is not reached now: it follows later. */
  nodePending: z.boolean(),
});
export type UndoResult = z.output<typeof UndoResult>;

export const previewUndo = endpoint({
  method: 'GET',
  path: `${BASE}/undo/:id`,
  summary: 'What taking an entry back would do, and what stands in its way; changes nothing.',
  params: Id,
  result: UndoPreview,
});

export const undoEntry = endpoint({
  method: 'POST',
  path: `${BASE}/undo/:id`,
  summary: 'Takes an entry back. Traffic counted since stays; it is an entry itself.',
  params: Id,
  result: UndoResult,
});

const BinKind = z.enum(['client', 'inbound', 'host']);
export type BinKind = z.output<typeof BinKind>;
const BinItems = z.object({ kind: BinKind, ids: z.array(z.int().min(1)).min(1).max(1000) });

export const BinItem = z.object({
  kind: BinKind,
  id: z.int(),
  name: z.string(),
  /** Entry that deleted it. */
  entryId: z.int(),
  /** Ms since the epoch. */
  deletedAt: z.int(),
  /** When it goes for good. */
  goneAt: z.int(),
});
export type BinItem = z.output<typeof BinItem>;

export const listBin = endpoint({
  method: 'GET',
  path: `${BASE}/bin`,
  summary: 'What was deleted and can come back, newest first.',
  query: z.object({
    kind: z.enum(['', 'client', 'inbound', 'host']).default(''),
    search: z.string().max(256).default(''),
    skip: z.coerce.number().int().min(0).default(0),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  result: z.object({ items: z.array(BinItem), total: z.int() }),
});

export const restoreFromBin = endpoint({
  method: 'POST',
  path: `${BASE}/bin/restore`,
  summary: 'Brings deleted things back with credentials, counters and ledger; what cannot come back says why.',
  body: BinItems,
  encoding: 'json',
  result: z.object({
    restored: z.int(),
    skipped: z.array(
      z.object({
        name: z.string(),
        reason: z.string(),
        code: z.string(),
        params: z.record(z.string(), z.union([z.string(), z.number()])),
      }),
    ),
  }),
});

export const eraseFromBin = endpoint({
  method: 'POST',
  path: `${BASE}/bin/erase`,
  summary: 'Deletes for good what lies in the bin: what it was is no longer kept anywhere.',
  body: BinItems,
  encoding: 'json',
  result: z.object({ erased: z.int() }),
});
