import * as z from 'zod';
import { DomainError } from '../../../../contract/domain-error.ts';
import { foldText } from '../../../../store/fold-text.ts';
import { isRefusal } from '../../node-client.ts';
import { endThere } from '../end-sessions.ts';
import { sendInbound } from './push-inbounds.ts';
import type { Delivery } from './delivery.ts';
import { knownByName, lowerBaselines, noteClientAttempts, withdrawAttempts } from './repository-attempts.ts';
import * as rows from './repository-push.ts';
import type { Snapshot } from '../snapshot.ts';
import { wireClient } from '../wire.ts';

/** E-mails per bulk call. */
const CHUNK = 500;

/** Bytes; a counter that is none says nothing about a restart. */
const Bytes = z.int().min(0).catch(Number.MAX_SAFE_INTEGER);
const Usage = z.object({ up: Bytes, down: Bytes });
const Listed = z.object({ email: z.string(), subId: z.string().catch(''), traffic: Usage });
type Listed = z.output<typeof Listed>;

const Found = z.object({ client: z.object({ email: z.string(), subId: z.string() }), inboundIds: z.array(z.int()) });

/**
 * Removes clients from the node: the record is deleted with its last attachment, and a client also attached to an
 * inbound of the node itself loses only ours.
 * @returns the folded names of deleted records
 */
export async function removeClients(delivery: Delivery, leaving: readonly rows.WaitingClient[]): Promise<string[]> {
  const { store, client, nodeId, version, held, snapshot, attempt } = delivery;
  const deleted: string[] = [];
  if (leaving.length === 0) return deleted;
  // A recognised inbound has its tag before the next delivery brings its id.
  const ours = held.flatMap(({ remoteId, remoteTag }) =>
    remoteId === 0 ? snapshot.inbounds.filter(({ tag }) => tag === remoteTag).map(({ id }) => id) : [remoteId],
  );
  const takeOff = offTheNode(delivery, new Set(ours));
  for (let at = 0; at < leaving.length; at += CHUNK) {
    const chunk = leaving.slice(at, at + CHUNK);
    const areLeft = chunk.every(({ endSessions }) => endSessions === 'leave') ? '?sessions=leave' : '';
    await attempt(async () => {
      const known = chunk.map(({ email }) => email).filter((email) => email !== '');
      deleted.push(...(await takeOff(known, areLeft)).map(foldText));
      const endings = chunk.flatMap(({ email, endSessions: how }) =>
        email === '' || how === '' ? [] : [{ email, how }],
      );
      await endThere(client, endings);
      const ids = chunk.map(({ clientId }) => clientId);
      await store.write((trx) => rows.forgetClients(trx, nodeId, ids, version));
    });
  }
  return deleted;
}

/**
 * Detaches names from this panel's inbounds on the node and deletes their records, except those on other inbounds
 * there.
 * @param ours ids of this panel's inbounds there
 * @returns the names whose records are deleted
 */
export function offTheNode({ client, snapshot }: Pick<Delivery, 'client' | 'snapshot'>, ours: ReadonlySet<number>) {
  const foreign = clientsBeside(snapshot, ours);
  return async (emails: readonly string[], areLeft = ''): Promise<readonly string[]> => {
    const shared = emails.filter((email) => foreign.has(foldText(email)));
    const own = emails.filter((email) => !foreign.has(foldText(email)));
    if (shared.length > 0 && ours.size > 0) {
      const body = { emails: shared, inboundIds: [...ours] };
      await client.call({ method: 'POST', path: `clients/bulkDetach${areLeft}`, body, result: z.unknown() });
    }
    if (own.length > 0)
      await client.call({
        method: 'POST',
        path: `clients/bulkDel${areLeft}`,
        body: { emails: own },
        result: z.unknown(),
      });
    return own;
  };
}

/** Folded e-mails on inbounds other than these. */
function clientsBeside({ inbounds, counters }: Snapshot, ours: ReadonlySet<number>): Set<string> {
  const beside = inbounds.filter(({ id }) => !ours.has(id));
  return new Set(beside.flatMap(({ clients }) => Array.from(clients, (at) => counters.emailKeys[at]!)));
}

/**
 * Brings one client on the node to its wanted state, whatever it is now.
 * @param interimName its name there for now, and it keeps waiting; empty = its own
 * @throws {DomainError}
 */
export async function sendClient(
  delivery: Delivery,
  { clientId, email: nameThere, endSessions }: rows.WaitingClient,
  interimName = '',
): Promise<void> {
  const { store, client, nodeId, version, snapshot, remoteIds, heldBack } = delivery;
  const desired = await rows.wantedClient(store.reader, nodeId, clientId);
  // Deleted since the waiting clients were read: its next version covers that.
  if (desired === null) return;
  const links = desired.links.filter(({ inboundId }) => !heldBack.has(inboundId));
  if (links.length === 0) return;
  const named = interimName === '' ? desired : { ...desired, email: interimName, emailKey: foldText(interimName) };
  const wanted = { ...named, links };
  const wantedIds = wanted.links.map(({ inboundId }) => remoteIds.get(inboundId));
  if (wantedIds.includes(undefined)) throw new DomainError('node.inboundMissing', { email: wanted.email });
  const inboundIds = wantedIds as number[];
  const body = wireClient(wanted);
  const found = await findThere(delivery, nameThere === '' ? wanted.email : nameThere);
  const keyThere = foldText(nameThere);
  if (keyThere !== '' && !snapshot.counters.emailKeys.includes(keyThere)) {
    const usage = found === null ? NO_USAGE : await usageThere(delivery, nameThere);
    await store.write((trx) => lowerBaselines(trx, nodeId, [{ clientId, emailKey: keyThere, ...usage }]));
  }
  if (found === null) {
    await attempting(delivery, [{ ...wanted, clientId }], () =>
      client.call({ method: 'POST', path: 'clients/add', body: { client: body, inboundIds }, result: z.unknown() }),
    );
  } else {
    // Never delivered, yet it exists: the node's own client of that name, unless the response to the delivery was lost.
    if (nameThere === '' && found.client.subId !== wanted.subId)
      throw new DomainError('node.emailTaken', { email: wanted.email });
    const isLeft = endSessions === 'leave';
    await alignClient(delivery, found, { email: wanted.email, body, inboundIds, isLeft });
  }
  const delivered = {
    clientId,
    email: wanted.email,
    emailKey: wanted.emailKey,
    ...delivery.counterOf(wanted.emailKey),
  };
  // Without all its inbounds it keeps waiting.
  const isWhole = links.length === desired.links.length && interimName === '';
  await store.write((trx) => rows.noteClients(trx, nodeId, [delivered], isWhole ? version : 0));
}

/** Adds clients to the node, recording unknown ones first. @throws {DomainError} */
async function attempting(
  { store, nodeId }: Delivery,
  clients: readonly Pick<rows.Delivered, 'clientId' | 'email' | 'emailKey'>[],
  work: () => Promise<unknown>,
): Promise<void> {
  const named = clients.map(({ clientId, email, emailKey }) => ({ clientId, email, emailKey }));
  const fresh = await store.write((trx) => noteClientAttempts(trx, nodeId, named));
  try {
    await work();
  } catch (error) {
    if (isRefusal(error)) await store.write((trx) => withdrawAttempts(trx, nodeId, fresh));
    throw error;
  }
}

async function findThere({ client }: Delivery, email: string): Promise<z.output<typeof Found> | null> {
  try {
    return await client.call({ method: 'GET', path: `clients/get/${encodeURIComponent(email)}`, result: Found });
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

const NO_USAGE = { up: 0, down: 0 };

/** Usage as the node shows it: its own counter, or a larger total from a panel above. @throws {DomainError} */
async function usageThere({ client }: Delivery, email: string): Promise<z.output<typeof Usage>> {
  const path = `clients/traffic/${encodeURIComponent(email)}`;
  return (await client.call({ method: 'GET', path, result: Usage.nullable() })) ?? NO_USAGE;
}

/** All clients of the node in one call, by folded e-mail. Usage as in {@link usageThere}. @throws {DomainError} */
async function allThere({ client }: Delivery): Promise<Map<string, Listed>> {
  const listed = await client.call({ method: 'GET', path: 'clients/list', result: z.array(Listed) });
  return new Map(listed.map((each) => [foldText(each.email), each]));
}

/** Clients new to the node whose name or subscription a client of its own has: they would block their whole inbound. */
function conflicting(fresh: readonly rows.FreshClient[], there: ReadonlyMap<string, Listed>): rows.FreshClient[] {
  const bySubId = new Map(Array.from(there, ([emailKey, { subId }]) => [subId, emailKey]));
  return fresh.filter(({ emailKey, subId }) => {
    const bearer = there.get(emailKey);
    return bearer === undefined ? bySubId.has(subId) : bearer.subId !== subId;
  });
}

/** Attachments to the node's own inbounds stay unchanged. */
async function alignClient(
  { client, remoteIds }: Delivery,
  found: z.output<typeof Found>,
  {
    email,
    body,
    inboundIds,
    isLeft,
  }: { email: string; body: object; inboundIds: readonly number[]; /** Open sessions go on. */ isLeft: boolean },
): Promise<void> {
  const ours = [...remoteIds.values()];
  const post = (path: string, sent: object) => client.call({ method: 'POST', path, body: sent, result: z.unknown() });
  const there = encodeURIComponent(found.client.email);
  await post(`clients/update/${there}?inboundIds=${ours.join(',')}${isLeft ? '&sessions=leave' : ''}`, body);
  const path = encodeURIComponent(email);
  const missing = inboundIds.filter((id) => !found.inboundIds.includes(id));
  if (missing.length > 0) await post(`clients/${path}/attach`, { inboundIds: missing });
  const surplus = found.inboundIds.filter((id) => ours.includes(id) && !inboundIds.includes(id));
  if (surplus.length > 0) await post(`clients/${path}/detach`, { inboundIds: surplus });
}

/**
 * Sends many clients at once: every inbound that carries one, here or on the node, is sent as a whole, in one call each.
 * @param apart inbounds that must not be sent as a whole. @returns ids of clients that must be sent one by one: theirs,
 *   and those in conflict with a client of the node
 */
export async function sendByInbound(
  delivery: Delivery,
  due: readonly rows.WaitingClient[],
  apart: ReadonlySet<number>,
): Promise<ReadonlySet<number>> {
  const { store, nodeId, version, held, attempt } = delivery;
  const byId = new Map(held.map((each) => [each.inboundId, each]));
  const delivered = new Map<number, rows.Delivered>();
  const there = new Set(delivery.snapshot.counters.emailKeys);
  const single = new Set<number>();
  const onThere = placesThere(delivery, due);
  for (const inboundId of apart) {
    for (const { clientId } of await rows.clientsOn(store.heavyReader, inboundId)) single.add(clientId);
    for (const clientId of onThere.get(inboundId) ?? []) single.add(clientId);
  }
  const fresh = await rows.freshClients(store.heavyReader, nodeId);
  const listed: { known?: Map<string, Listed> } = {};
  if (fresh.length > 0) await attempt(async () => void (listed.known = await allThere(delivery)));
  const conflicts = listed.known === undefined ? [] : conflicting(fresh, listed.known);
  for (const { clientId } of conflicts) single.add(clientId);
  const besides = new Set(conflicts.map(({ emailKey }) => emailKey));
  let isComplete = true;
  for (const inboundId of new Set([...(await rows.inboundsOfWaiting(store.heavyReader, nodeId)), ...onThere.keys()])) {
    if (apart.has(inboundId)) continue;
    const inbound = byId.get(inboundId);
    const isSent =
      inbound !== undefined &&
      (await attempt(async () => {
        // Read before the entries: a client added in between stays marked and is sent next time.
        const onIt = await rows.clientsOn(store.heavyReader, inboundId);
        const absent = onIt.filter(({ emailKey }) => !there.has(emailKey) && !besides.has(emailKey));
        const lost = await knownByName(store.heavyReader, nodeId, absent);
        if (lost.length > 0) listed.known ??= await allThere(delivery);
        const counted = lost.map((each) => ({ ...each, ...(listed.known?.get(each.emailKey)?.traffic ?? NO_USAGE) }));
        if (counted.length > 0) await store.write((trx) => lowerBaselines(trx, nodeId, counted));
        await attempting(delivery, absent, () => sendInbound(delivery, inbound, besides));
        for (const each of onIt.filter(({ clientId }) => !single.has(clientId)))
          delivered.set(each.clientId, { ...each, ...delivery.counterOf(each.emailKey) });
      }));
    isComplete &&= isSent;
  }
  // A client may be on a refused inbound; sending it again does no harm.
  if (!isComplete) return single;
  const sent = [...delivered.values()];
  for (let at = 0; at < sent.length; at += CHUNK)
    await store.write((trx) => rows.noteClients(trx, nodeId, sent.slice(at, at + CHUNK), version));
  return single;
}

/** Ids of these clients by the inbound that has them on the node, although they may have left it here. */
function placesThere({ held, snapshot }: Delivery, due: readonly rows.WaitingClient[]): Map<number, number[]> {
  const ids = new Map(due.flatMap(({ clientId, email }) => (email === '' ? [] : [[foldText(email), clientId]])));
  const { emailKeys } = snapshot.counters;
  const places = held.map(({ inboundId, remoteTag }): [number, number[]] => {
    const listed = snapshot.inbounds.find(({ tag }) => tag === remoteTag)?.clients ?? [];
    return [inboundId, Array.from(listed, (at) => ids.get(emailKeys[at]!)).filter((id) => id !== undefined)];
  });
  return new Map(places.filter(([, on]) => on.length > 0));
}

/** Disables clients on the node that are disabled here, even if everything else is kept as it is there. */
export async function switchOff(
  { store, client, attempt }: Delivery,
  kept: readonly rows.WaitingClient[],
): Promise<void> {
  const off = await rows.disabledAmong(
    store.heavyReader,
    kept.map(({ clientId }) => clientId),
  );
  const emails = kept.filter(({ clientId }) => off.has(clientId)).map(({ email }) => email);
  for (let at = 0; at < emails.length; at += CHUNK)
    await attempt(async () => {
      const body = { emails: emails.slice(at, at + CHUNK) };
      await client.call({ method: 'POST', path: 'clients/bulkDisable', body, result: z.unknown() });
    });
}

/**
 * Resets counters on the node, for those of these clients that are due. That enables them there, so their own state
 * must be delivered afterwards.
 * @returns clients whose reset was refused, and all others
 */
export async function resetClients(
  delivery: Delivery,
  waiting: readonly rows.WaitingClient[],
): Promise<[unreset: rows.WaitingClient[], ready: rows.WaitingClient[]]> {
  const { store, client, nodeId, version, attempt } = delivery;
  const due = waiting.filter(({ isResetDue }) => isResetDue);
  const unreset = new Set<rows.WaitingClient>();
  for (let at = 0; at < due.length; at += CHUNK) {
    const chunk = due.slice(at, at + CHUNK);
    const isReset = await attempt(async () => {
      const body = { emails: chunk.map(({ email }) => email) };
      await client.call({ method: 'POST', path: 'clients/bulkResetTraffic', body, result: z.unknown() });
      const ids = chunk.map(({ clientId }) => clientId);
      await store.write((trx) => rows.noteClientResets(trx, nodeId, ids, version));
    });
    if (!isReset) for (const each of chunk) unreset.add(each);
  }
  return [[...unreset], waiting.filter((each) => !unreset.has(each))];
}
