import { DomainError } from '../../contract/domain-error.ts';
import type { Schedule } from '../../contract/schedule.ts';
import type { Db } from '../../store/schema.ts';
import { createBin } from './bin.ts';
import type { JournalEntry, JournalPart, JournalQuery, JournalRow, UndoPreview, UndoResult } from './contract.ts';
import { journalFile } from './file.ts';
import { KEPT_MS } from './kept.ts';
import * as rows from './repository.ts';
import { attachedInbound, itemIdOf, showRow } from './show-rows.ts';
import { entryRefusal, type UndoRefusal } from './undo/refusals.ts';
import { createUndo, type UndoDeps } from './undo/undo.ts';

/** Rows of an entry per page. */
const PAGE_ROWS = 100;
const HOUR_MS = 3_600_000;
/** Rows deleted per transaction. */
const PRUNED_AT_ONCE = 2_000;

export interface JournalServiceDeps extends UndoDeps {
  schedule: Schedule;
  textOf: (refusal: { code: string; params: Record<string, string | number> }) => string;
}

/** Changes made on request: listed, undone, restored, and deleted after thirty days. */
export function createJournalService(deps: JournalServiceDeps) {
  const { store, clock, schedule, textOf } = deps;
  const undo = createUndo(deps);
  const bin = createBin({ store, undo, publish: deps.publish, textOf });
  const ages = () => ({ nowMs: clock(), keptMs: KEPT_MS });

  async function known(id: number, db: Db = store.reader): Promise<rows.EntryRow> {
    const entry = await rows.entryById(db, id);
    if (entry === undefined) throw new DomainError('journal.unknown');
    return entry;
  }

  function requireUndoable(entry: rows.EntryRow): void {
    const refused = entryRefusal(entry, ages());
    if (refused !== null) throw new DomainError(refused.code, refused.params);
  }

  async function shownRows(id: number, skip: number): Promise<{ rows: JournalRow[]; hasMore: boolean }> {
    const found = await rows.rowsOf(store.heavyReader, id, skip, PAGE_ROWS + 1);
    const page = found.slice(0, PAGE_ROWS);
    const items = page.map(itemIdOf).filter((item) => item !== null);
    const idsOf = (kind: string): number[] => [
      ...new Set(items.filter((item) => item.kind === kind).map((item) => item.id)),
    ];
    const attached = page.map(attachedInbound).filter((inboundId) => inboundId !== null);
    const names = {
      client: await rows.namesOf(store.heavyReader, 'client', idsOf('client')),
      inbound: await rows.namesOf(store.heavyReader, 'inbound', [...new Set([...idsOf('inbound'), ...attached])]),
      plan: await rows.namesOf(store.heavyReader, 'plan', idsOf('plan')),
    };
    return {
      rows: page.map((row) => showRow(row, (kind, itemId) => names[kind].get(itemId) ?? '')),
      hasMore: found.length > PAGE_ROWS,
    };
  }

  function shown(entry: rows.EntryRow): JournalEntry {
    const { id, atMs: at, actor, name, address, verb, rowCount, undoOf, undoneBy, hash } = entry;
    const parts = JSON.parse(entry.parts) as JournalPart[];
    const undoRefusal = entryRefusal(entry, ages())?.code ?? '';
    return { id, at, actor, name, address, verb, parts, rowCount, undoOf, undoneBy, undoRefusal, hash };
  }

  async function prune(): Promise<void> {
    for (let hasMore = true; hasMore;)
      hasMore = await store.write((trx) => rows.pruneEntries(trx, clock() - KEPT_MS, PRUNED_AT_ONCE));
  }
  schedule.every(HOUR_MS, prune);

  return {
    async list(query: JournalQuery & { before: number; limit: number }) {
      const found = await rows.entriesOf(store.heavyReader, query, query.before, query.limit + 1);
      return { entries: found.slice(0, query.limit).map(shown), hasMore: found.length > query.limit };
    },

    /** @throws {DomainError} `journal.unknown` */
    async entry(id: number, skip: number) {
      return { entry: shown(await known(id)), ...(await shownRows(id, skip)) };
    },

    file: (query: JournalQuery, format: 'csv' | 'json') => journalFile(store, query, format),

    /** What {@link undo} would do; changes nothing. @throws {DomainError} `journal.unknown` */
    async preview(id: number): Promise<UndoPreview> {
      const entry = await known(id);
      const refused = entryRefusal(entry, ages());
      const found: UndoRefusal[] = refused === null ? await undo.refusals({ entryId: id }) : [refused];
      const { rows: before, hasMore } = await shownRows(id, 0);
      return {
        parts: (JSON.parse(entry.parts) as JournalPart[]).map(turned),
        rows: before.map(turnedRow),
        hasMore,
        refusals: found.map((refusal) => ({ ...refusal, msg: textOf(refusal) })),
      };
    },

    /** @throws {DomainError} `journal.unknown`, and the first refusal that {@link preview} reports. */
    async undo(id: number): Promise<UndoResult> {
      const entry = await known(id);
      requireUndoable(entry);
      // Checked again in its turn: of two requests at once, one undoes it.
      const done = await undo.undo({ entryId: id }, true, {
        check: async (db) => requireUndoable(await known(id, db)),
      });
      return { ...done, parts: (JSON.parse(entry.parts) as JournalPart[]).map(turned) };
    },

    bin,
    prune,
  };
}
export type JournalService = ReturnType<typeof createJournalService>;

const TURNED = { added: 'deleted', deleted: 'added', changed: 'changed', reset: 'reset' } as const;

const turned = (part: JournalPart): JournalPart => ({ ...part, action: TURNED[part.action] });

function turnedRow(row: JournalRow): JournalRow {
  const fields = row.fields.map(({ before, after, ...field }) => ({ ...field, before: after, after: before }));
  return { ...row, action: TURNED[row.action], fields };
}
