import type { ClientTrafficPort } from '../../clients/traffic-port.ts';
import { UserChanges } from '../../clients/storage/user-changes.ts';
import type { JsonObject } from '../../../contract/json.ts';
import { removeInboundTag, renameInboundTag } from '../../../core/config/template/template-rules.ts';
import type { TemplatePort } from '../../inbounds/dependencies.ts';
import { TAGS_OF_INBOUNDS } from '../../settings/rename-tag.ts';
import { giveGroupTotals, takeFromBaselines } from '../../groups/group-totals.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Change, Runtime } from '../../../runtime/runtime.ts';
import { laterEntry, UNDOABLE } from './repository-conflicts.ts';
import * as rows from './repository-put-back.ts';
import { inboundsToComplete } from './repository-credentials.ts';
import type { Scope } from './scope.ts';

export interface PutBackDeps {
  traffic: ClientTrafficPort;
  runtime: Pick<Runtime, 'stage'>;
  clients: { completeOn(trx: WriteTransaction, inboundIds: readonly number[]): Promise<UserChanges> };
  templates: Pick<TemplatePort, 'rewrite'>;
  /** Gives the settings that name an inbound its new tag. @returns whether one did */
  renameInSettings: (trx: WriteTransaction, from: string, to: string) => Promise<boolean>;
  clock: () => number;
}

/** What a transaction restored, for the running cores and for open pages. */
export interface PutBack {
  change: Change;
  users: UserChanges;
  tables: ReadonlySet<string>;
}

/** Clients and counters per message between threads. */
const CHUNK = 1_000;

function* chunks<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += CHUNK) yield items.slice(at, at + CHUNK);
}

/**
 * Restores every row of the scope to its state before the entry. Nothing may prevent it: the caller has checked in the
 * same transaction. Counters are restored through the ledger; traffic counted since is kept.
 */
export async function putBack(trx: WriteTransaction, scope: Scope, deps: PutBackDeps): Promise<PutBack> {
  const { traffic, runtime, clients, clock } = deps;
  const nowMs = clock();
  const tables = await rows.touchedTables(trx, scope);
  const touched = UNDOABLE.filter(({ name }) => tables.has(name));
  const before = await rows.placesOf(trx, scope);
  const inboundIds = new Set(await rows.inboundsOf(trx, scope));
  // Before rows are deleted: marking a node requires knowing where an inbound was.
  if (inboundIds.size > 0) await runtime.stage(trx, { inboundIds: [...inboundIds] });

  const moved = await rows.movedSince(trx, scope);
  for (const ids of chunks(await rows.addedClients(trx, scope))) await traffic.releaseSubjects(trx, ids);
  for (const table of touched.toReversed()) await rows.takeAwayAdded(trx, table, scope);
  const renamed = await rows.renamedClients(trx, scope);
  for (const table of touched) await rows.putBackChanged(trx, table, scope, nowMs);
  for (const table of touched) await rows.putBackDeleted(trx, table, scope);
  const { isRouted, isInSettings } = await followTags(trx, scope, deps);
  for (const { from, to, clientId } of renamed) await traffic.renameSubject(trx, from, to, clientId);
  const returned = await rows.deletedClients(trx, scope);
  for (const some of chunks(returned)) {
    await traffic.bindSubjects(trx, some);
    // When undoing a whole entry, the totals are separate rows.
    if (scope.only !== undefined)
      await giveGroupTotals(
        trx,
        some.map(({ clientId }) => clientId),
        nowMs,
      );
  }
  await takeFromBaselines(trx, moved, nowMs);
  await putCountersBack(trx, scope, traffic, nowMs);
  await rows.bringBackWithin(trx, scope, nowMs);

  const completed = await clients.completeOn(trx, await inboundsToComplete(trx, scope));
  for (const id of await rows.inboundsOf(trx, scope)) inboundIds.add(id);
  const users = usersOf(before, await rows.placesOf(trx, scope));
  users.merge(completed);
  const isEverything = isRouted || (scope.only === undefined && (await rows.touchesTemplate(trx, scope)));
  const change: Change = {
    ...users.change,
    ...(inboundIds.size > 0 ? { inboundIds: [...inboundIds] } : {}),
    ...(isEverything ? { everything: true } : {}),
  };
  await runtime.stage(trx, change);
  return { change, users, tables: isInSettings ? new Set([...tables, 'settings']) : tables };
}

/**
 * What was saved since and names an inbound names it by its former tag, and not at all once its creation is undone, as
 * in an edit. What was there before the entry stays as it was then.
 */
async function followTags(
  trx: WriteTransaction,
  scope: Scope,
  { templates, renameInSettings }: PutBackDeps,
): Promise<{ isRouted: boolean; isInSettings: boolean }> {
  let isRouted = false;
  let isInSettings = false;
  const isSavedSince = async (blockingKey: string): Promise<boolean> =>
    (await laterEntry(trx, scope.entryId, { blockingTable: 'settings', blockingKey })) !== undefined;
  const isTemplateSaved = await isSavedSince('coreTemplateConfig');
  const areTagsSaved = await isSavedSince(TAGS_OF_INBOUNDS);
  for (const { from, to } of await rows.movedTags(trx, scope)) {
    const change = (template: JsonObject): JsonObject =>
      to === null ? removeInboundTag(template, from) : renameInboundTag(template, from, to);
    if (isTemplateSaved && (await templates.rewrite(trx, change))) isRouted = true;
    if (areTagsSaved && to !== null && (await renameInSettings(trx, from, to))) isInSettings = true;
  }
  return { isRouted, isInSettings };
}

async function putCountersBack(
  trx: WriteTransaction,
  scope: Scope,
  traffic: ClientTrafficPort,
  nowMs: number,
): Promise<void> {
  if (scope.only !== undefined) return;
  for (let afterKey = ''; ;) {
    const counters = await rows.countersBack(trx, scope, afterKey, CHUNK);
    for (const source of ['reset', 'manual', 'opening'] as const)
      await traffic.bookCounters(
        trx,
        counters.filter((row) => row.source === source),
        source,
        nowMs,
      );
    if (counters.length < CHUNK) return;
    afterKey = counters.at(-1)!.rowKey;
  }
}

/** Clients whose limits have to be checked, and those whose open sessions use outdated credentials. */
function usersOf(before: readonly rows.Place[], after: readonly rows.Place[]): UserChanges {
  const changes = new UserChanges();
  const keyOf = ({ inboundId, email, credentials }: rows.Place): string => `${inboundId} ${email}\n${credentials}`;
  const works = new Set(after.filter(({ enable }) => enable === 1).map(keyOf));
  for (const place of [...before, ...after]) changes.add(place.inboundId, place.email);
  for (const place of before)
    if (place.enable === 1 && !works.has(keyOf(place))) changes.off(place.inboundId, place.email);
  return changes;
}
