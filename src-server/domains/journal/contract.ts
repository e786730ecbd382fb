import * as z from 'zod';
import { ACTORS, ITEM_KINDS } from '../../contract/act.ts';
import { endpoint } from '../../contract/endpoint.ts';

const BASE = '/panel/api/journal';
const Id = z.object({ id: z.coerce.number().int().min(1) });

export const JOURNAL_KINDS = ITEM_KINDS;
export const JournalKind = z.enum(JOURNAL_KINDS);
export type JournalKind = z.output<typeof JournalKind>;

/** What an entry did to things of one kind, with the first five by name. */
export const JournalPart = z.object({
  /** What kind of thing was touched. */
  kind: JournalKind,
  /** What was done to it; `reset` = counters were set to zero. */
  action: z.enum(['added', 'changed', 'deleted', 'reset']),
  /** How many were. */
  count: z.int(),
  /** The first five by name. */
  names: z.array(z.string()),
  /** Names of the values that changed, of things that were neither added nor deleted. */
  fields: z.array(z.string()),
});
export type JournalPart = z.output<typeof JournalPart>;

export const JournalEntry = z.object({
  id: z.int(),
  /** When it was, in ms since 1970. */
  at: z.int(),
  /**
   * Who asked: `admin` in the interface, `token` by API, `master` a managing panel, `window` the desktop application,
   * `bot`, `command` on the machine, `directory` by schedule.
   */
  actor: z.enum(ACTORS),
  /** User name, name of the token, chat of the bot; empty where there is none. */
  name: z.string(),
  /** Address that it came from; empty = this machine. */
  address: z.string(),
  /** Method and path of the call, or the command. */
  verb: z.string(),
  /** What it did, by kind of thing. */
  parts: z.array(JournalPart),
  /** How many rows of the database it changed. */
  rowCount: z.int(),
  /** Entry that this one takes back, 0 = none. */
  undoOf: z.int(),
  /** Entry that took this one back, 0 = it stands. */
  undoneBy: z.int(),
  /** Why it cannot be taken back, as a code; empty = it can be asked for. */
  undoRefusal: z.string(),
  /** Hash over the entry, its rows and the hash of the entry before. */
  hash: z.string(),
});
export type JournalEntry = z.output<typeof JournalEntry>;

/** One value that changed. Secrets say only that they did. */
export const JournalField = z.object({
  /** Name of the value. */
  name: z.string(),
  /** Value before; null = there was none, or it is secret. */
  before: z.union([z.string(), z.number(), z.null()]),
  /** Value afterwards; null = there is none, or it is secret. */
  after: z.union([z.string(), z.number(), z.null()]),
  /** Whether only the fact that it changed is told. */
  isSecret: z.boolean(),
});
export type JournalField = z.output<typeof JournalField>;

export const JournalRow = z.object({
  /** What kind of thing was touched. */
  kind: JournalKind,
  /** Name of what was changed, or its number where it is gone. */
  subject: z.string(),
  /** Table of the database that holds the row, such as `clients` or `clientInbounds`. */
  table: z.string(),
  /** What was done to the row; `reset` = counters were set to zero. */
  action: z.enum(['added', 'changed', 'deleted', 'reset']),
  /** Values that differ. */
  fields: z.array(JournalField),
});
export type JournalRow = z.output<typeof JournalRow>;

const Filters = {
  /** Who asked; empty = anybody. */
  actor: z.enum(['', ...ACTORS]).default(''),
  /** Kind of thing that was touched; empty = any. */
  kind: z.enum(['', ...JOURNAL_KINDS]).default(''),
  /** Part of a name, of who did it or of an address. */
  search: z.string().max(256).default(''),
  /** First moment, in ms since 1970, 0 = no bound. */
  from: z.coerce.number().int().min(0).default(0),
  /** First moment after the range, in ms since 1970, 0 = no bound. */
  to: z.coerce.number().int().min(0).default(0),
  /** As sent in `X-Request-Id`: the entries of one request. */
  requestId: z.string().max(128).default(''),
};
const Query = z.object(Filters);
export type JournalQuery = z.output<typeof Query>;

export const listJournal = endpoint('GET', `${BASE}/list`, {
  summary: 'What was changed on request, newest first; `before` is the id of the last entry of the page before.',
  query: z.object({
    ...Filters,
    /** Id of the last entry of the page before, 0 = from the newest on. */
    before: z.coerce.number().int().min(0).default(0),
    /** Entries of a page, 1 to 200. */
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  result: z.object({
    /** Entries of this page, newest first. */
    entries: z.array(JournalEntry),
    /** Whether older ones follow. */
    hasMore: z.boolean(),
  }),
});

export const readJournalEntry = endpoint('GET', `${BASE}/entry/:id`, {
  summary: 'One entry with its rows, before and after, a hundred at a time; secrets are left out.',
  params: Id,
  query: z.object({
    /** Rows that are passed over, for the next page. */
    skip: z.coerce.number().int().min(0).default(0),
  }),
  result: z.object({
    /** The entry. */
    entry: JournalEntry,
    /** Rows that it changed, a hundred at a time. */
    rows: z.array(JournalRow),
    /** Whether more rows follow. */
    hasMore: z.boolean(),
  }),
});

export const exportJournal = endpoint('GET', `${BASE}/export`, {
  summary: 'The entries of these filters as a file, at most 100,000, newest first.',
  query: z.object({
    ...Filters,
    /** Kind of the file. */
    format: z.enum(['csv', 'json']).default('csv'),
  }),
  result: z.string(),
  answer: 'attachment',
});

/** What an undo would do, and what stands in its way. */
export const UndoPreview = z.object({
  /** What would be done, by kind of thing. */
  parts: z.array(JournalPart),
  /** The first rows as they would be put back. */
  rows: z.array(JournalRow),
  /** Whether there are more rows than these. */
  hasMore: z.boolean(),
  /** Why it is refused; empty = it is not. */
  refusals: z.array(
    z.object({
      code: z.string(),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
      /** The same in English. */
      msg: z.string(),
      /** Entry that has to be taken back first, 0 = none would help. */
      entryId: z.int(),
    }),
  ),
});
export type UndoPreview = z.output<typeof UndoPreview>;

export const UndoResult = z.object({
  /** The entry of the undo itself, which can be taken back in turn. */
  entryId: z.int(),
  /** What was done, by kind of thing. */
  parts: z.array(JournalPart),
  /** Stored, but the core did not take it: its words. */
  coreError: z.string(),
  /** A node concerned is not reached now: it follows later. */
  nodePending: z.boolean(),
});
export type UndoResult = z.output<typeof UndoResult>;

export const previewUndo = endpoint('GET', `${BASE}/undo/:id`, {
  summary: 'What taking an entry back would do, and what stands in its way; changes nothing.',
  params: Id,
  result: UndoPreview,
});

export const undoEntry = endpoint('POST', `${BASE}/undo/:id`, {
  summary: 'Takes an entry back. Traffic counted since stays; it is an entry itself.',
  params: Id,
  result: UndoResult,
});

const BinKind = z.enum(['client', 'inbound', 'host']);
export type BinKind = z.output<typeof BinKind>;
const BinItems = z.object({
  /** Kind of thing. */
  kind: BinKind,
  /** Numbers that they had. */
  ids: z.array(z.int().min(1)).min(1).max(1000),
});

export const BinItem = z.object({
  /** Kind of thing. */
  kind: BinKind,
  /** Number that it had. */
  id: z.int(),
  /** Name that it had. */
  name: z.string(),
  /** Entry that deleted it. */
  entryId: z.int(),
  /** When it was deleted, in ms since 1970. */
  deletedAt: z.int(),
  /** When it is deleted for good, in ms since 1970. */
  goneAt: z.int(),
});
export type BinItem = z.output<typeof BinItem>;

export const listBin = endpoint('GET', `${BASE}/bin`, {
  summary: 'What was deleted and can come back, newest first.',
  query: z.object({
    /** Kind of thing; empty = any. */
    kind: z.enum(['', 'client', 'inbound', 'host']).default(''),
    /** Part of a name; empty = all. */
    search: z.string().max(256).default(''),
    /** Rows that are passed over, for the next page. */
    skip: z.coerce.number().int().min(0).default(0),
    /** Rows of a page, 1 to 200. */
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  result: z.object({
    /** Rows of this page. */
    items: z.array(BinItem),
    /** How many match. */
    total: z.int(),
  }),
});

export const restoreFromBin = endpoint('POST', `${BASE}/bin/restore`, {
  summary: 'Brings deleted things back with credentials, counters and ledger; what cannot come back says why.',
  body: BinItems,
  encoding: 'json',
  result: z.object({
    /** How many came back. */
    restored: z.int(),
    skipped: z.array(
      z.object({
        /** Name of what stays in the bin. */
        name: z.string(),
        reason: z.string(),
        code: z.string(),
        params: z.record(z.string(), z.union([z.string(), z.number()])),
      }),
    ),
  }),
});

export const eraseFromBin = endpoint('POST', `${BASE}/bin/erase`, {
  summary: 'Deletes for good what lies in the bin: what it was is no longer kept anywhere.',
  body: BinItems,
  encoding: 'json',
  result: z.object({
    /** How many were deleted. */
    erased: z.int(),
  }),
});
