import { sql } from 'kysely';
import type { Db } from '../../../store/schema.ts';
import { namesOf, type ChangedRow, type EntryRow } from '../repository.ts';
import { itemIdOf, showRow } from '../show-rows.ts';
import { credentialOf, identityOf } from '../../clients/rules/credential-rules.ts';
import { credentialTaken } from '../../clients/rules/identity-check.ts';
import { CREDENTIALS, endedLinks, sharedCredentials, unservedLinks } from './repository-credentials.ts';
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
  counted: 'journal.laterEntry',
  changed: 'journal.laterEntry',
  gone: 'journal.laterEntry',
  parentGone: 'journal.parentGone',
  parentApart: 'journal.parentGone',
  dependent: 'journal.dependent',
  taken: 'journal.takenLater',
};
const ALONE: Readonly<Record<Conflict['reason'], string>> = {
  counted: 'journal.changedSince',
  changed: 'journal.changedSince',
  gone: 'journal.goneSince',
  parentGone: 'journal.goneSince',
  parentApart: 'journal.deletedTogether',
  dependent: 'journal.changedSince',
  taken: 'journal.taken',
};

/** Changes that prevent undoing an entry, as refusals; each thing once. */
export async function refusalsOf(db: Db, scope: Scope): Promise<UndoRefusal[]> {
  const found: UndoRefusal[] = [];
  const named = new Set<string>();
  for (const conflict of [...(await conflictsOf(db, scope)), ...(await endedLinks(db, scope))]) {
    if (found.length >= MAX_REPORTED) break;
    const name = await nameOf(db, scope.entryId, conflict);
    if (named.has(name)) continue;
    named.add(name);
    const later = conflict.laterId ?? (await laterEntry(db, scope.entryId, conflict));
    found.push(
      later === undefined
        ? { code: ALONE[conflict.reason], params: { name }, entryId: 0 }
        : { code: LATER[conflict.reason], params: { name, id: later }, entryId: later },
    );
  }
  return found.length > 0 ? found : attachmentRefusals(db, scope);
}

/** Attachments as they come back would be refused by a save made today. */
async function attachmentRefusals(db: Db, scope: Scope): Promise<UndoRefusal[]> {
  const found: UndoRefusal[] = [];
  for (const { inboundId, protocol } of await unservedLinks(db, scope)) {
    const blocking = { blockingTable: 'inbounds', blockingKey: String(inboundId) };
    const entryId = (await laterEntry(db, scope.entryId, blocking)) ?? 0;
    found.push({ code: 'client.protocolWithoutClients', params: { protocol }, entryId });
  }
  for (const kind of CREDENTIALS)
    for (const { protocol, credential, otherCredential, ...clients } of await sharedCredentials(db, scope, kind)) {
      if (credentialOf(protocol) !== kind) continue;
      if (identityOf(protocol, credential) !== identityOf(protocol, otherCredential)) continue;
      const { code, params } = credentialTaken(kind, clients);
      found.push({ code, params: { ...params }, entryId: 0 });
    }
  return found.slice(0, MAX_REPORTED);
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
