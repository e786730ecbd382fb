import { foldText } from '../../../store/fold-text.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { StoredLink } from './stored-types.ts';
import { effectivePassword } from '../rules/credential-rules.ts';
import { giveGroupTotals } from '../../groups/group-totals.ts';
import { keptTraffics } from './repository-read.ts';
import {
  deleteLinks,
  dropKept,
  insertClients,
  insertLinks,
  setLastOnline,
  updateLinks,
  updateRecords,
  updateStates,
} from './repository-write.ts';
import type { ClientTrafficPort } from '../traffic-port.ts';
import { UserChanges } from './user-changes.ts';
import { bringBack, giveFirstEnd, type ClientValues, type WorkingClient } from '../verbs/working-client.ts';

/**
 * Writes the differences between the stored and the wanted half of each client; identical ones are not touched. New
 * e-mails adopt counters kept for them, renamed clients take their own along and drop those kept under the new name; see
 * also {@link giveFirstEnd}. A client disabled only by a limit is enabled when the limit is moved; see {@link bringBack}.
 * E-mails, subscription ids and identities have been checked by the caller, in the same transaction.
 * @returns what the core and open pages have to know.
 */
export async function saveClients(
  trx: WriteTransaction,
  clients: readonly WorkingClient[],
  traffic: ClientTrafficPort,
  nowMs: number,
): Promise<UserChanges> {
  for (const client of clients) {
    giveFirstEnd(client.values, (day) => traffic.nextRenewalMs(day, nowMs));
    bringBack(client, nowMs);
  }
  const changes = new UserChanges();
  const fresh = clients.filter(({ stored }) => stored === null);
  const changed = clients.filter((client) => client.stored !== null && valuesDiffer(client));

  const freshIds = await insertClients(
    trx,
    fresh.map(({ values }) => values),
    nowMs,
  );
  const idOf = new Map(fresh.map((client, at) => [client, freshIds[at]!]));
  const rowsOf = (which: readonly WorkingClient[]) => which.map(({ stored, values }) => ({ id: stored!.id, values }));
  await updateRecords(trx, rowsOf(changed.filter(recordDiffers)), nowMs);
  await updateStates(trx, rowsOf(changed.filter(stateDiffers)), nowMs);

  const added: StoredLink[] = [];
  const moved: StoredLink[] = [];
  const removed: StoredLink[] = [];
  for (const client of clients) {
    const clientId = client.stored?.id ?? idOf.get(client)!;
    changes.touch([clientId]);
    compareLinks(client, clientId, { added, moved, removed }, changes);
  }
  await deleteLinks(trx, removed);
  await insertLinks(trx, added, nowMs);
  await updateLinks(trx, moved);

  for (const { stored, values } of changed) {
    if (stored!.email === values.email) continue;
    await dropKept(trx, [foldText(values.email)]);
    await traffic.renameSubject(trx, stored!.email, values.email, stored!.id);
  }
  if (fresh.length > 0) await openTraffic(trx, fresh, idOf, traffic, nowMs);
  return changes;
}

const STATE_KEYS: readonly (keyof ClientValues)[] = [
  'enable',
  'disabledBy',
  'quotaBytes',
  'expiresAtMs',
  'resetDays',
  'resetDay',
];

const stateDiffers = ({ stored, values }: WorkingClient): boolean =>
  STATE_KEYS.some((key) => stored![key] !== values[key]);

const recordDiffers = ({ stored, values }: WorkingClient): boolean =>
  (Object.keys(values) as (keyof ClientValues)[]).some(
    (key) => stored![key] !== values[key] && !STATE_KEYS.includes(key),
  );

const valuesDiffer = (client: WorkingClient): boolean => stateDiffers(client) || recordDiffers(client);

function compareLinks(
  client: WorkingClient,
  clientId: number,
  into: { added: StoredLink[]; moved: StoredLink[]; removed: StoredLink[] },
  changes: UserChanges,
): void {
  const { stored, storedLinks, values, links } = client;
  const wasOn = stored?.enable === 1;
  // Remote panels also store quotas and comments of these users, so any difference is sent; a core that sees none does
  // nothing.
  const differs = stored !== null && valuesDiffer(client);
  for (const [inboundId, link] of links) {
    const row = { clientId, inboundId, flowOverride: link.flowOverride, passwordOverride: link.passwordOverride };
    const before = storedLinks.get(inboundId);
    const isMoved =
      before !== undefined &&
      (before.flowOverride !== link.flowOverride || before.passwordOverride !== link.passwordOverride);
    if (before === undefined) into.added.push(row);
    else if (isMoved) into.moved.push(row);
    if (before === undefined || isMoved || differs) changes.add(inboundId, values.email, stored?.email ?? values.email);
    if (wasOn && before !== undefined && (values.enable === 0 || accessDiffers(client, inboundId)))
      changes.off(inboundId, stored.email);
  }
  for (const inboundId of storedLinks.keys()) {
    if (links.has(inboundId)) continue;
    into.removed.push({ clientId, inboundId, flowOverride: '', passwordOverride: '' });
    changes.add(inboundId, stored!.email);
    if (wasOn) changes.off(inboundId, stored.email);
  }
}

/** Whether credentials that may have opened sessions on this inbound no longer work. */
function accessDiffers({ stored, values, links, storedLinks }: WorkingClient, inboundId: number): boolean {
  return (
    stored!.uuid !== values.uuid ||
    stored!.auth !== values.auth ||
    effectivePassword(stored!, storedLinks.get(inboundId)!) !== effectivePassword(values, links.get(inboundId)!)
  );
}

async function openTraffic(
  trx: WriteTransaction,
  fresh: readonly WorkingClient[],
  idOf: ReadonlyMap<WorkingClient, number>,
  traffic: ClientTrafficPort,
  nowMs: number,
): Promise<void> {
  await traffic.bindSubjects(
    trx,
    fresh.map((client) => ({ email: client.values.email, clientId: idOf.get(client)! })),
  );
  const idByKey = new Map(fresh.map((client) => [foldText(client.values.email), idOf.get(client)!]));
  const kept = await keptTraffics(trx, [...idByKey.keys()]);
  if (kept.length === 0) return;
  const opening = kept.map((row) => ({ ...row, clientId: idByKey.get(row.emailKey)! }));
  await traffic.openCounters(
    trx,
    opening.map(({ clientId, upBytes, downBytes }) => ({ clientId, upBytes, downBytes })),
    nowMs,
  );
  // They stayed in a group's total when the former client was deleted.
  await giveGroupTotals(
    trx,
    opening.map(({ clientId }) => clientId),
    nowMs,
  );
  await setLastOnline(trx, opening);
  await dropKept(
    trx,
    kept.map(({ emailKey }) => emailKey),
  );
}
