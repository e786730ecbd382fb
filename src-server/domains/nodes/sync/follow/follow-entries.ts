import type { Json, JsonObject } from '../../../../contract/json.ts';
import type { Change } from '../../../../runtime/runtime.ts';
import { foldText } from '../../../../store/fold-text.ts';
import type { WriteTransaction } from '../../../../store/open-store.ts';
import { canonicalJson } from '../../../../contract/canonical-json.ts';
import { noteNamesApplied } from '../../drift/repository-applied.ts';
import { redeliver } from '../../plans/repository-plans.ts';
import * as rows from '../../adoption/repository-adopt.ts';
import { raiseVersion } from '../push/repository-push.ts';
import type { TakeOverDeps, Reported, ReportedInbound } from '../reported.ts';

/** Entries of an inbound's clients as reported by the node, each name once, with their counters. */
export function entriesReported({ counterOf }: Reported, { reported }: ReportedInbound) {
  const { settings } = reported;
  const clients =
    settings !== null && typeof settings === 'object' && !Array.isArray(settings) ? settings['clients'] : [];
  const byKey = new Map<string, { entry: JsonObject; client: rows.ReportedClient }>();
  for (const entry of Array.isArray(clients) ? clients : []) {
    if (!isObject(entry) || typeof entry['email'] !== 'string' || entry['email'] === '') continue;
    const { email } = entry as { email: string };
    const emailKey = foldText(email);
    if (!byKey.has(emailKey)) byKey.set(emailKey, { entry, client: { email, emailKey, ...counterOf(emailKey) } });
  }
  const all = [...byKey.values()];
  return { entries: all.map(({ entry }) => entry), clients: all.map(({ client }) => client) };
}

/**
 * Takes over clients added on the node to an inbound of this panel, and changes made there to its clients. A client
 * with a pending change is left to the delivery. One missing from two responses is lost. One with values that the node
 * must not decide is sent again.
 * @param selected folded names that the operator wants taken over exactly as they are there, and no others
 * @returns whether both sides agree now
 * @throws {DomainError | ValidationError} nothing of the inbound was taken over
 */
export async function followEntries(
  deps: TakeOverDeps,
  reported: Reported,
  inbound: ReportedInbound,
  inboundId: number,
  selected: ReadonlySet<string> | null = null,
): Promise<boolean> {
  const { store, adoption } = deps;
  const { left } = reported;
  const nodeId = reported.row.id;
  const { entries, clients } = entriesReported(reported, inbound);
  const ours = new Map((await deps.entriesOf(inboundId)).map((entry) => [keyOf(entry), entry]));
  const keys = clients.map(({ emailKey }) => emailKey);
  const lost = [...ours.keys()].filter((key) => !keys.includes(key));
  const stateOf = new Map(
    (await rows.knownNames(store.heavyReader, nodeId, [...keys, ...lost])).map(({ emailKey, state }) => [
      emailKey,
      state,
    ]),
  );
  // An older database has what was deleted here since.
  const deleted = new Set(
    clients.filter(
      ({ emailKey }) =>
        reported.wentBack && !ours.has(emailKey) && stateOf.get(emailKey) === 'own' && !left.clients.has(emailKey),
    ),
  );
  if (deleted.size > 0)
    await store.write(async (trx) =>
      rows.deleteAgain(trx, nodeId, [...deleted], await raiseVersion(trx, nodeId, deps.clock())),
    );
  const changed = entries.flatMap((entry, at) => {
    if (deleted.has(clients[at]!)) return [];
    const known = ours.get(keys[at]!);
    if (selected !== null && !selected.has(keys[at]!)) return [];
    const merged = known === undefined ? entry : selected === null ? reconciled(entry, known) : asThere(entry, known);
    const isSame = known !== undefined && canonicalJson(shown(merged)) === canonicalJson(shown(known));
    if (isSame || stateOf.get(keys[at]!) === 'waiting' || (selected === null && left.clients.has(keys[at]!))) return [];
    // A client the node keeps disabled stays disabled here too when the node changes its limits.
    const isKeptOff = known !== undefined && entry['enable'] === false;
    return [{ entry: isKeptOff ? { ...merged, disabledBy: 'loop' } : merged, client: clients[at]! }];
  });
  if (changed.length > 0)
    await adoption.mergeEntries(inboundId, (trx, write) => merge(trx, { nodeId, inboundId, changed, write }));
  if (selected !== null) return true;
  const overruled = entries.flatMap((entry, at) => {
    const key = keys[at]!;
    const known = ours.get(key);
    const isOverruled = known !== undefined && (isSwitchedOn(entry, known) || endsDeadline(entry, known));
    return isOverruled && stateOf.get(key) === 'agreed' && !left.clients.has(key) ? [key] : [];
  });
  if (overruled.length > 0)
    // Values the node must not decide are corrected there, or both sides would differ forever and a disabled client be
    // served.
    await store.write(async (trx) => redeliver(trx, nodeId, overruled, await raiseVersion(trx, nodeId, deps.clock())));
  const missing = lost.filter((key) => stateOf.get(key) === 'agreed' && !left.clients.has(key));
  for (const key of reported.losses.confirmed(`inbound ${inboundId}`, missing, reported.readAtMs))
    reported.lost.add(key);
  return ![...stateOf.values()].includes('waiting') && missing.length + overruled.length === 0;
}

async function merge(
  trx: WriteTransaction,
  work: {
    nodeId: number;
    inboundId: number;
    changed: readonly { entry: JsonObject; client: rows.ReportedClient }[];
    write: Parameters<Parameters<TakeOverDeps['adoption']['mergeEntries']>[1]>[1];
  },
): Promise<Change> {
  const { nodeId, inboundId } = work;
  const stateOf = new Map(
    (
      await rows.knownNames(
        trx,
        nodeId,
        work.changed.map(({ client }) => client.emailKey),
      )
    ).map(({ emailKey, state }) => [emailKey, state]),
  );
  // Anything changed here since the report is pending delivery.
  const changed = work.changed.filter(({ client }) => stateOf.get(client.emailKey) !== 'waiting');
  const added = changed.filter(({ client }) => stateOf.get(client.emailKey) === 'own').map(({ client }) => client);
  const taken = await rows.takenNames(
    trx,
    added.map(({ emailKey }) => emailKey),
  );
  const users = await work.write(
    withoutSay(
      changed.map(({ entry }) => entry),
      taken,
    ),
    added.map(({ email, upBytes, downBytes }) => ({ email, up: upBytes, down: downBytes, lastOnline: 0 })),
  );
  await rows.holdClients(trx, nodeId, added);
  await noteNamesApplied(
    trx,
    nodeId,
    changed.map(({ client }) => client.emailKey),
  );
  const elsewhere = await rows.inboundsElsewhere(
    trx,
    nodeId,
    users.map((each) => each.inboundId),
  );
  const shared = added.filter(({ emailKey }) => taken.has(emailKey)).map(({ email }) => email);
  return {
    users: [
      ...users.filter((each) => elsewhere.has(each.inboundId)),
      ...(shared.length > 0 ? [{ inboundId, emails: shared }] : []),
    ],
  };
}

/**
 * For clients known here but new to the node, takes only identity and the credentials used there; their permissions
 * come from this panel.
 */
export function withoutSay(entries: readonly JsonObject[], taken: ReadonlySet<string>): JsonObject[] {
  return entries.map((entry) => {
    if (!taken.has(keyOf(entry))) return entry;
    const { email = null, subId = null, flow = null, id = null, password = null, auth = null } = entry;
    return { email, subId, flow, id, password, auth };
  });
}

/**
 * The node's values, minus what it must not decide: it never enables a client or ends a running deadline, and comments
 * come from this panel.
 */
function reconciled(reported: JsonObject, ours: JsonObject): JsonObject {
  return {
    ...reported,
    email: ours['email'] ?? null,
    comment: ours['comment'] ?? '',
    enable: reported['enable'] === false ? false : (ours['enable'] ?? true),
    ...(endsDeadline(reported, ours) ? { expiryTime: ours['expiryTime'] ?? 0 } : {}),
  };
}

const isSwitchedOn = (reported: JsonObject, ours: JsonObject): boolean =>
  ours['enable'] === false && reported['enable'] !== false;

function endsDeadline({ expiryTime: reportedEnd }: JsonObject, { expiryTime: own }: JsonObject): boolean {
  return typeof own === 'number' && own > 0 && typeof reportedEnd === 'number' && reportedEnd <= 0;
}

/** All of the node's values, on the operator's request; comments come from this panel. */
function asThere(reported: JsonObject, ours: JsonObject): JsonObject {
  return { ...reported, email: ours['email'] ?? null, comment: ours['comment'] ?? '' };
}

/** Without the timestamps that every panel keeps for itself. */
function shown({ created_at: _created, updated_at: _updated, ...entry }: JsonObject): JsonObject {
  return entry;
}

/** Folded e-mail of an entry of `settings.clients`; empty when it has none. */
export const keyOf = ({ email }: JsonObject): string => foldText(typeof email === 'string' ? email : '');

function isObject(value: Json): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
