import { sql } from 'kysely';
import type { Db } from '../../../store/schema.ts';
import { namesOf, type ChangedRow, type EntryRow } from '../repository.ts';
import { itemIdOf, showRow } from '../show-rows.ts';
import { conflictsOf, laterEntry, type Conflict } from './repository-conflicts.ts';
import type { Scope } from './scope.ts';

/** Why an undo is refused, with the entry that has to be undone first; 0 = none. */
export interface UndoRefusal {
  code: string;
  params: Record<string, string | number>;
  entryId: number;
}

/** Enough for an overview. */
const MAX_REPORTED = 10;
const LATER: Readonly<Record<Conflict['reason'], string>> = {
  changed: 'journal.laterEntry',
  gone: 'journal.laterEntry',
  parentGone: 'journal.parentGone',
  dependent: 'journal.dependent',
  taken: 'journal.takenLater',
};
const ALONE: Readonly<Record<Conflict['reason'], string>> = {
  changed: 'journal.changedSince',
  gone: 'journal.goneSince',
  parentGone: 'journal.goneSince',
  dependent: 'journal.changedSince',
  taken: 'journal.taken',
};

/** Changes that prevent undoing an entry, as refusals; each thing once. */
export async function refusalsOf(db: Db, scope: Scope): Promise<UndoRefusal[]> {
  const found: UndoRefusal[] = [];
  const named = new Set<string>();
  for (const conflict of await conflictsOf(db, scope)) {
    if (found.length >= MAX_REPORTED) break;
    const name = await nameOf(db, scope.entryId, conflict);
    if (named.has(name)) continue;
    named.add(name);
    const later = await laterEntry(db, scope.entryId, conflict);
    found.push(
      later === undefined
        ? { code: ALONE[conflict.reason], params: { name }, entryId: 0 }
        : { code: LATER[conflict.reason], params: { name, id: later }, entryId: later },
    );
  }
  return found;
}

async function nameOf(db: Db, entryId: number, { tableName, rowKey }: Conflict): Promise<string> {
  const { rows } = await sql<ChangedRow>`SELECT tableName, rowKey, before, after FROM journalRows
    WHERE entryId = ${entryId} AND tableName = ${tableName} AND rowKey = ${rowKey}`.execute(db);
  const [row] = rows;
  if (row === undefined) return rowKey;
  const item = itemIdOf(row);
  const names = item === null ? new Map<number, string>() : await namesOf(db, item.kind, [item.id]);
  return showRow(row, (_kind, id) => names.get(id) ?? '').subject;
}

/** Why the entry itself cannot be undone; null = it can. */
export function entryRefusal(
  entry: EntryRow,
  { nowMs, keptMs }: { nowMs: number; keptMs: number },
): UndoRefusal | null {
  const refusal = (code: string, params: Record<string, string | number> = {}, entryId = 0): UndoRefusal => ({
    code,
    params,
    entryId,
  });
  if (entry.undoneBy > 0) return refusal('journal.alreadyUndone', { id: entry.undoneBy }, entry.undoneBy);
  if (entry.canUndo === 0) return refusal('journal.notUndoable');
  if (entry.erasedBy !== 0) return refusal('journal.erased');
  if (entry.isPartlyRestored === 1) return refusal('journal.partlyRestored');
  if (entry.atMs < nowMs - keptMs) return refusal('journal.tooOld', { days: Math.round(keptMs / 86_400_000) });
  return null;
}
