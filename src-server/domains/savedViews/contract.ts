import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

const BASE = '/panel/api/views';
export const MAX_VIEWS = 50;

/** Lists that support views. */
const Page = z.enum(['clients']);
const PageParam = z.object({
  /** The list of the views; `clients` is the only one so far. */
  page: Page,
});
const Name = z.string().trim().min(1).max(64);

export const ListView = z.object({
  /** Filters and sort order, as in the query string of the page. */
  query: z.record(z.string().max(64), z.string().max(1_024)),
  /** Layout of the table. */
  columns: z.object({
    /** Columns by name, in order from the start of the row. */
    order: z.array(z.string().max(64)).max(64),
    /** Visible columns; the others are hidden. */
    shown: z.array(z.string().max(64)).max(64),
    /** Row height. */
    density: z.enum(['comfortable', 'compact']),
    /** Column widths in CSS pixels; columns not listed have their default width. */
    widths: z.record(z.string().max(64), z.number().min(0).max(10_000)),
  }),
});
export type ListView = z.output<typeof ListView>;

export const SavedView = z.object({
  /** Name of the view, unique for its owner and list; saving replaces a view of the same name. */
  name: z.string(),
  /** Filters, order and columns. */
  view: ListView,
});
export type SavedView = z.output<typeof SavedView>;

export const listViews = endpoint('GET', `${BASE}/:page`, {
  summary: "The caller's own views of a list, by name; those of API tokens are common to all of them.",
  params: PageParam,
  result: z.array(SavedView),
});

export const saveView = endpoint('POST', `${BASE}/:page/save`, {
  summary: 'Saves a view under a name, in place of one that has it.',
  params: PageParam,
  body: z.object({
    /** Name of the view, unique for its owner and list; saving replaces a view of the same name. */
    name: Name,
    /** Filters, order and columns. */
    view: ListView,
  }),
  encoding: 'json',
  result: SavedView,
  message: 'view.saved',
});

export const deleteView = endpoint('POST', `${BASE}/:page/delete`, {
  summary: 'Deletes a view; one that is gone already is no error.',
  params: PageParam,
  body: z.object({
    /** Name of the view. */
    name: Name,
  }),
  encoding: 'json',
  result: z.null(),
  message: 'view.deleted',
});
