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
  /** Kind of the changed things. */
  kind: JournalKind,
  /** The action; `reset` = counters were set to zero. */
  action: z.enum(['added', 'changed', 'deleted', 'reset']),
  /** Number of changed things. */
  count: z.int(),
  /** The first five by name. */
  names: z.array(z.string()),
  /** Names of the changed values, for things that were neither added nor deleted. */
  fields: z.array(z.string()),
});
export type JournalPart = z.output<typeof JournalPart>;

export const JournalEntry = z.object({
  id: z.int(),
  /** Time of the change, in ms since 1970. */
  at: z.int(),
  /**
   * Who asked: `admin` in the interface, `token` by API, `master` a managing panel, `window` the desktop application,
   * `bot`, `command` on the machine, `directory` by schedule.
   */
  actor: z.enum(ACTORS),
  /** User name, name of the token, chat of the bot; empty where there is none. */
  name: z.string(),
  /** IP address of the request; empty = this machine. */
  address: z.string(),
  /** Method and path of the call, or the command. */
  verb: z.string(),
  /** What it did, by kind of thing. */
  parts: z.array(JournalPart),
  /** Number of changed database rows. */
  rowCount: z.int(),
  /** Entry that this one undoes, 0 = none. */
  undoOf: z.int(),
  /** Entry that undid this one, 0 = none. */
  undoneBy: z.int(),
  /** Code of the reason why it cannot be undone; empty = an undo can be requested. */
  undoRefusal: z.string(),
  /** Hash over the entry, its rows and the hash of the previous entry. */
  hash: z.string(),
});
export type JournalEntry = z.output<typeof JournalEntry>;

/** One changed value. For secrets, only the fact of a change is given. */
export const JournalField = z.object({
  /** Name of the value. */
  name: z.string(),
  /** Value before; null = none, or secret. */
  before: z.union([z.string(), z.number(), z.null()]),
  /** Value afterwards; null = none, or secret. */
  after: z.union([z.string(), z.number(), z.null()]),
  /** Whether the value is secret, so that only the fact of the change is given. */
  isSecret: z.boolean(),
});
export type JournalField = z.output<typeof JournalField>;

export const JournalRow = z.object({
  /** Kind of the changed thing. */
  kind: JournalKind,
  /** Name of the changed thing, or its id if it no longer exists. */
  subject: z.string(),
  /** Table of the database that holds the row, such as `clients` or `clientInbounds`. */
  table: z.string(),
  /** The action on the row; `reset` = counters were set to zero. */
  action: z.enum(['added', 'changed', 'deleted', 'reset']),
  /** Values that differ. */
  fields: z.array(JournalField),
});
export type JournalRow = z.output<typeof JournalRow>;

const Filters = {
  /** Who asked; empty = anybody. */
  actor: z.enum(['', ...ACTORS]).default(''),
  /** Kind of the changed things; empty = any. */
  kind: z.enum(['', ...JOURNAL_KINDS]).default(''),
  /** Part of a thing's name, of an actor's name or of an IP address. */
  search: z.string().max(256).default(''),
  /** Start of the range, in ms since 1970, 0 = no bound. */
  from: z.coerce.number().int().min(0).default(0),
  /** Last moment of the range, in ms since 1970, 0 = no bound. */
  to: z.coerce.number().int().min(0).default(0),
  /** Value of `X-Request-Id`: finds the entries of one request. */
  requestId: z.string().max(128).default(''),
};
const Query = z.object(Filters);
export type JournalQuery = z.output<typeof Query>;

export const listJournal = endpoint('GET', `${BASE}/list`, {
  summary: 'What was changed on request, newest first; `before` is the id of the last entry of the page before.',
  query: z.object({
    ...Filters,
    /** Id of the last entry of the previous page; 0 = start with the newest. */
    before: z.coerce.number().int().min(0).default(0),
    /** Entries per page, 1 to 200. */
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  result: z.object({
    /** Entries of this page, newest first. */
    entries: z.array(JournalEntry),
    /** Whether older entries follow. */
    hasMore: z.boolean(),
  }),
});

export const readJournalEntry = endpoint('GET', `${BASE}/entry/:id`, {
  summary: 'One entry with its rows, before and after, a hundred at a time; secrets are left out.',
  params: Id,
  query: z.object({
    /** Number of rows to skip. */
    skip: z.coerce.number().int().min(0).default(0),
  }),
  result: z.object({
    /** The entry. */
    entry: JournalEntry,
    /** Rows that it changed, up to a hundred per page. */
    rows: z.array(JournalRow),
    /** Whether more rows follow. */
    hasMore: z.boolean(),
  }),
});

export const exportJournal = endpoint('GET', `${BASE}/export`, {
  summary: 'The entries of these filters as a file, at most 100,000, newest first.',
  query: z.object({
    ...Filters,
    /** Format of the file. */
    format: z.enum(['csv', 'json']).default('csv'),
  }),
  result: z.string(),
  response: 'attachment',
  types: ['text/csv', 'application/json'],
});

/** What an undo would do, and what prevents it. */
export const UndoPreview = z.object({
  /** Changes of the undo, by kind of thing. */
  parts: z.array(JournalPart),
  /** The first rows as they would be restored. */
  rows: z.array(JournalRow),
  /** Whether there are more rows than these. */
  hasMore: z.boolean(),
  /** Why it is refused; empty = it is possible. */
  refusals: z.array(
    z.object({
      code: z.string(),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
      /** The same as English text. */
      msg: z.string(),
      /** Entry that has to be undone first, 0 = undoing another entry does not help. */
      entryId: z.int(),
    }),
  ),
});
export type UndoPreview = z.output<typeof UndoPreview>;

export const UndoResult = z.object({
  /** The entry of the undo itself, which can be undone in turn. */
  entryId: z.int(),
  /** What was changed, by kind of thing. */
  parts: z.array(JournalPart),
  /** Error text of the core when the change is stored but the core refused it. */
  coreError: z.string(),
  /** Whether an affected node is offline and will be updated later. */
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
  /** Kind of the things. */
  kind: BinKind,
  /** Their former ids. */
  ids: z.array(z.int().min(1)).min(1).max(1000),
});

export const BinItem = z.object({
  /** Kind of the deleted thing. */
  kind: BinKind,
  /** Its former id. */
  id: z.int(),
  /** Its former name. */
  name: z.string(),
  /** Entry that deleted it. */
  entryId: z.int(),
  /** When it was deleted, in ms since 1970. */
  deletedAt: z.int(),
  /** When it will be erased for good, in ms since 1970. */
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
    /** Number of rows to skip. */
    skip: z.coerce.number().int().min(0).default(0),
    /** Rows per page, 1 to 200. */
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  result: z.object({
    /** Rows of this page. */
    items: z.array(BinItem),
    /** Number of matching rows. */
    total: z.int(),
  }),
});

export const restoreFromBin = endpoint('POST', `${BASE}/bin/restore`, {
  summary: 'Brings deleted things back with credentials, counters and ledger; what cannot come back says why.',
  body: BinItems,
  encoding: 'json',
  result: z.object({
    /** How many were restored. */
    restored: z.int(),
    skipped: z.array(
      z.object({
        /** Name of a thing that stays in the bin. */
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
    /** How many were erased. */
    erased: z.int(),
  }),
});
