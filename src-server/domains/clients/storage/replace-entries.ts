import { sql } from 'kysely';
import { DomainError } from '../../../contract/domain-error.ts';
import { foldText } from '../../../store/fold-text.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { ClientHost } from '../../inbounds/client-port.ts';
import { keepGroupTotals } from '../../groups/group-totals.ts';
import { chunked } from '../bulk/chunked.ts';
import { asList } from './client-row.ts';
import type { ClientInput } from '../contract.ts';
import type { Credentials } from '../rules/credential-rules.ts';
import { findClashes } from '../rules/identity-check.ts';
import { loadClients } from './load-clients.ts';
import { checkSubId } from '../rules/name-rules.ts';
import { ownersOfSubIds } from './repository-read.ts';
import { setLastOnline } from './repository-write.ts';
import { saveClients } from './save-clients.ts';
import type { ClientTrafficPort } from '../traffic-port.ts';
import { UserChanges } from './user-changes.ts';
import {
  complete,
  credentialsOf,
  detach,
  mergeInput,
  setFlow,
  takePassword,
  type WorkingClient,
} from '../verbs/working-client.ts';
import { numbersIn } from '../../../store/dialect/each-json.ts';

export interface EntryDeps {
  traffic: ClientTrafficPort;
  nowMs: number;
}

/**
 * Gives the inbound's existing clients the values of their entries.
 * @returns entries of e-mails that are not attached yet, for placing, and the changes.
 * @throws {DomainError} `client.duplicateEmail`, `client.duplicateSubId`, `client.subIdInvalid`,
 *   `client.credentialTaken`
 */
export async function replaceAttached(
  trx: WriteTransaction,
  host: ClientHost,
  inputs: readonly ClientInput[],
  { traffic, nowMs }: EntryDeps,
): Promise<{ others: ClientInput[]; changes: UserChanges }> {
  const { clients } = await loadClients(
    trx,
    inputs.map(({ email }) => foldText(email)),
  );
  const others: ClientInput[] = [];
  const given = new Map<WorkingClient, Credentials>();
  for (const input of inputs) {
    const client = clients.get(foldText(input.email));
    const link = client?.links.get(host.id);
    if (client === undefined || link === undefined) {
      others.push(input);
      continue;
    }
    if (given.has(client) && (!input.subId || input.subId !== client.values.subId))
      throw new DomainError('client.duplicateEmail', { email: input.email });
    const { flow, password, ...rest } = input;
    mergeInput(client, rest);
    // The entry shows this attachment's password, which must not be applied to all others.
    takePassword(client, host.id, password ?? '');
    if (flow !== undefined) setFlow(client, flow, new Set([host.id]));
    given.set(client, credentialsOf(client));
    complete(client);
  }
  const changed = [...given.keys()];
  await checkSubIds(trx, changed);
  const [clash] = await findClashes(trx, changed, (client) => given.get(client)!);
  if (clash !== undefined) throw clash.error;
  return { others, changes: await saveClients(trx, changed, traffic, nowMs) };
}

async function checkSubIds(trx: WriteTransaction, clients: readonly WorkingClient[]): Promise<void> {
  const moved = clients.filter(({ stored, values }) => stored!.subId !== values.subId);
  if (moved.length === 0) return;
  const taken = new Set<string>();
  for (const { values } of moved) {
    checkSubId(values.subId);
    if (taken.has(values.subId)) throw new DomainError('client.duplicateSubId', { subId: values.subId });
    taken.add(values.subId);
  }
  const [owner] = await ownersOfSubIds(trx, [...taken]);
  if (owner !== undefined) throw new DomainError('client.duplicateSubId', { subId: owner.subId });
}

/** Detaches clients whose e-mails are not among `keep`; those attached nowhere else lose their counters. */
export async function detachOthers(
  trx: WriteTransaction,
  inboundId: number,
  keep: ReadonlySet<string>,
  deps: EntryDeps,
): Promise<UserChanges> {
  const changes = new UserChanges();
  const { rows } = await sql<{ keys: string }>`
    SELECT json_group_array(client.emailKey) AS keys
    FROM clientInbounds AS link CROSS JOIN clients AS client ON client.id = link.clientId
    WHERE link.inboundId = ${inboundId}`.execute(trx);
  const gone = (JSON.parse(rows[0]!.keys) as string[]).filter((key) => !keep.has(key));
  for (const keys of chunked(gone)) {
    const { clients } = await loadClients(trx, keys);
    const batch = [...clients.values()];
    for (const client of batch) detach(client, inboundId);
    changes.merge(await saveClients(trx, batch, deps.traffic, deps.nowMs));
    const orphans = batch.filter(({ links }) => links.size === 0).map(({ stored }) => stored!.id);
    await forgetTraffic(trx, orphans, deps);
  }
  return changes;
}

/** Detaches all clients from an inbound; those attached nowhere else lose their counters. */
export async function detachEverybody(trx: WriteTransaction, inboundId: number, deps: EntryDeps): Promise<void> {
  const { rows } = await sql<{ orphans: string }>`
    SELECT json_group_array(link.clientId) AS orphans FROM clientInbounds AS link
    WHERE link.inboundId = ${inboundId} AND NOT EXISTS (
      SELECT 1 FROM clientInbounds AS other
      WHERE other.clientId = link.clientId AND other.inboundId <> link.inboundId
    )`.execute(trx);
  const orphans = JSON.parse(rows[0]!.orphans) as number[];
  // Remembered for a later attachment.
  await sql`UPDATE clients SET flow = link.flowOverride FROM clientInbounds AS link
    WHERE link.inboundId = ${inboundId} AND link.clientId = clients.id AND link.flowOverride <> ''`.execute(trx);
  for (const batch of chunked(orphans)) await forgetTraffic(trx, batch, deps);
  await trx.deleteFrom('clientInbounds').where('inboundId', '=', inboundId).execute();
}

/** A client without inbounds keeps its record, but loses its counters and last-seen time. */
async function forgetTraffic(
  trx: WriteTransaction,
  clientIds: readonly number[],
  { traffic, nowMs }: EntryDeps,
): Promise<void> {
  if (clientIds.length === 0) return;
  await keepGroupTotals(trx, clientIds, nowMs);
  await traffic.setCounters(trx, clientIds, 'zero', 'reset', nowMs);
  await traffic.forgetAddresses(trx, clientIds);
  await setLastOnline(
    trx,
    clientIds.map((clientId) => ({ clientId, lastOnlineAtMs: 0 })),
  );
}

const VISION = 'xtls-rprx-vision';

/**
 * Restores vision on an inbound that can carry it now, for clients that use it elsewhere; clears flows where it cannot.
 * @returns clients whose flow changed.
 */
export async function adaptFlows(
  trx: WriteTransaction,
  inboundId: number,
  isCapable: boolean,
): Promise<{ id: number; email: string }[]> {
  const { rows } = await (
    isCapable
      ? sql<{ id: number; email: string }>`
          SELECT client.id, client.email
          FROM clientInbounds AS link CROSS JOIN clients AS client ON client.id = link.clientId
          WHERE link.inboundId = ${inboundId} AND link.flowOverride = '' AND EXISTS (
            SELECT 1 FROM clientInbounds AS other
            WHERE other.clientId = link.clientId AND other.inboundId <> link.inboundId AND other.flowOverride = ${VISION})`
      : sql<{ id: number; email: string }>`
          SELECT client.id, client.email
          FROM clientInbounds AS link CROSS JOIN clients AS client ON client.id = link.clientId
          WHERE link.inboundId = ${inboundId} AND link.flowOverride <> ''`
  ).execute(trx);
  await sql`UPDATE clientInbounds SET flowOverride = ${isCapable ? VISION : ''}
    WHERE inboundId = ${inboundId} AND clientId IN ${numbersIn(asList(rows.map(({ id }) => id)))}`.execute(trx);
  return rows;
}
