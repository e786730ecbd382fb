import { randomUUID } from 'node:crypto';
import type { Delivery } from './delivery.ts';
import { sendClient } from './push-clients.ts';
import { blockedNames, namesThere, renamedClients, type WaitingClient } from './repository-push.ts';
import { counterLookup } from '../snapshot.ts';

/**
 * Renames clients on the node, one by one: a whole inbound would bring them as new clients with a subscription that is
 * in use, or give their old record to the client that has their old name now.
 * @returns the delivery with the names that are there now, and the clients that still have to be sent
 */
export async function renameFirst(
  delivery: Delivery,
  due: readonly WaitingClient[],
): Promise<{ delivery: Delivery; due: readonly WaitingClient[] }> {
  const { store, nodeId } = delivery;
  const renamed = await renamedClients(store.heavyReader, nodeId);
  if (renamed.length === 0) return { delivery, due };
  const ids = new Set(renamed.map(({ clientId }) => clientId));
  const first = due.filter(({ clientId }) => ids.has(clientId));
  for (const each of await inNameOrder(delivery, first)) await delivery.attempt(() => sendClient(delivery, each));
  const now = await namesThere(store.heavyReader, nodeId, [...ids]);
  const names = new Map(renamed.map(({ clientId, emailKey }) => [emailKey, now.get(clientId) ?? emailKey]));
  return { delivery: withNames(delivery, names), due: due.filter(({ clientId }) => !ids.has(clientId)) };
}

/** After names changed on the node since it was read. @param names by the name before; empty = it is free now */
export function withNames(delivery: Delivery, names: ReadonlyMap<string, string>): Delivery {
  if (names.size === 0) return delivery;
  const { counters } = delivery.snapshot;
  const emailKeys = counters.emailKeys.map((key) => names.get(key) ?? key);
  const snapshot = { ...delivery.snapshot, counters: { ...counters, emailKeys } };
  return { ...delivery, snapshot, counterOf: counterLookup(snapshot) };
}

/**
 * Orders clients so that each finds its name free on the node. Those that exchange names in a circle get names of their
 * own first.
 */
export async function inNameOrder(
  delivery: Delivery,
  due: readonly WaitingClient[],
): Promise<readonly WaitingClient[]> {
  const blocked = await blockedNames(delivery.store.heavyReader, delivery.nodeId);
  if (blocked.length === 0) return due;
  const bearers = new Map(blocked.map(({ clientId, bearerId }) => [clientId, bearerId]));
  const ordered = due
    .map((each) => ({ each, before: renamesBefore(each.clientId, bearers) }))
    .toSorted((one, other) => (one.before === other.before ? 0 : one.before - other.before));
  const named: WaitingClient[] = [];
  for (const { each, before } of ordered) {
    const email = `renaming-${randomUUID()}`;
    const isInterim = before === Infinity && (await delivery.attempt(() => sendClient(delivery, each, email)));
    named.push(isInterim ? { ...each, email } : each);
  }
  return named;
}

/** How many others have to be renamed before this client; infinite in a circle. */
function renamesBefore(clientId: number, bearers: ReadonlyMap<number, number>): number {
  let count = 0;
  for (let at = bearers.get(clientId); at !== undefined; at = bearers.get(at)) {
    count += 1;
    if (count > bearers.size) return Infinity;
  }
  return count;
}
