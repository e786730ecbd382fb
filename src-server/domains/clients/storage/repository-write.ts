import { sql } from 'kysely';
import { runBatch } from '../../../store/batch.ts';
import { foldText } from '../../../store/fold-text.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { BatchColumn } from '../../../store/sqlite/sqlite-protocol.ts';
import type { Schema } from '../../../store/schema.ts';
import { asList } from './client-row.ts';
import type { ExternalLink } from '../contract.ts';
import type { StoredLink } from './stored-types.ts';
import { searchKeyOf } from '../list/search/search-key.ts';
import type { ClientValues } from '../verbs/working-client.ts';
import { eachNumber, eachText, numbersIn, textsIn } from '../../../store/dialect/each-json.ts';

type Cell = string | number | null;

/** One column per key of the first row, in its order. */
function columnsOf(rows: readonly Readonly<Record<string, Cell>>[]): BatchColumn[] {
  return Object.keys(rows[0] ?? {}).map((key) => rows.map((row) => row[key]!));
}

async function insertRows(
  trx: WriteTransaction,
  table: 'clients' | 'clientStates' | 'clientInbounds',
  rows: readonly Readonly<Record<string, Cell>>[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  await runBatch(trx, trx.insertInto(table).values(first), columnsOf(rows), rows.length);
}

function recordColumns(values: ClientValues, nowMs: number) {
  const { email, subId, uuid, password, auth, flow, security, reverse, limitIp, tgId, groupName, comment, planId } =
    values;
  return {
    email,
    emailKey: foldText(email),
    subId,
    uuid,
    password,
    auth,
    flow,
    security,
    reverse,
    limitIp,
    tgId,
    groupName,
    comment,
    planId,
    createdAtMs: values.createdAtMs,
    updatedAtMs: nowMs,
    searchKey: searchKeyOf(values),
  } satisfies Partial<Record<keyof Schema['clients'], Cell>>;
}

function stateColumns({ enable, disabledBy, quotaBytes, expiresAtMs, resetDays, resetDay }: ClientValues) {
  return { enable, disabledBy, quotaBytes, expiresAtMs, resetDays, resetDay };
}

/** Creates records with zero counters. @returns ids in the order of `values`. */
export async function insertClients(
  trx: WriteTransaction,
  values: readonly ClientValues[],
  nowMs: number,
): Promise<number[]> {
  if (values.length === 0) return [];
  const records = values.map((each) => recordColumns(each, nowMs));
  await insertRows(trx, 'clients', records);
  const { rows } = await sql<{ id: number; emailKey: string }>`
    SELECT client.id, client.emailKey FROM ${eachText(asList(records.map(({ emailKey }) => emailKey)))} AS wanted
    CROSS JOIN clients AS client ON client.emailKey = wanted.value`.execute(trx);
  const idOf = new Map(rows.map(({ id, emailKey }) => [emailKey, id]));
  const ids = records.map(({ emailKey }) => idOf.get(emailKey)!);
  await insertRows(
    trx,
    'clientStates',
    values.map((each, at) => ({
      clientId: ids[at]!,
      ...stateColumns(each),
      upBytes: 0,
      downBytes: 0,
      lastOnlineAtMs: 0,
    })),
  );
  return ids;
}

/** Writes the identity of existing clients. */
export async function updateRecords(
  trx: WriteTransaction,
  clients: readonly { id: number; values: ClientValues }[],
  nowMs: number,
): Promise<void> {
  if (clients.length === 0) return;
  const records = clients.map(({ id, values }) => ({ ...recordColumns(values, nowMs), id }));
  const { id: _, ...columns } = records[0]!;
  await runBatch(trx, trx.updateTable('clients').set(columns).where('id', '=', 0), columnsOf(records), records.length);
}

/** Writes flags and limits of existing clients; counters and the indexes over their identity are not touched. */
export async function updateStates(
  trx: WriteTransaction,
  clients: readonly { id: number; values: ClientValues }[],
  nowMs: number,
): Promise<void> {
  if (clients.length === 0) return;
  const states = clients.map(({ id, values }) => ({ ...stateColumns(values), clientId: id }));
  const { clientId: _, ...columns } = states[0]!;
  await runBatch(
    trx,
    trx.updateTable('clientStates').set(columns).where('clientId', '=', 0),
    columnsOf(states),
    states.length,
  );
  await touchRecords(
    trx,
    clients.map(({ id }) => id),
    nowMs,
  );
}

async function touchRecords(trx: WriteTransaction, ids: readonly number[], nowMs: number): Promise<void> {
  await sql`UPDATE clients SET updatedAtMs = ${nowMs}
    WHERE id IN ${numbersIn(asList(ids))}`.execute(trx);
}

export async function insertLinks(trx: WriteTransaction, links: readonly StoredLink[], nowMs: number): Promise<void> {
  await insertRows(
    trx,
    'clientInbounds',
    links.map((link) => ({ ...link, createdAtMs: nowMs })),
  );
}

export async function updateLinks(trx: WriteTransaction, links: readonly StoredLink[]): Promise<void> {
  if (links.length === 0) return;
  const query = trx
    .updateTable('clientInbounds')
    .set({ flowOverride: '', passwordOverride: '' })
    .where('clientId', '=', 0)
    .where('inboundId', '=', 0);
  const columns = columnsOf(
    links.map(({ flowOverride, passwordOverride, clientId, inboundId }) => ({
      flowOverride,
      passwordOverride,
      clientId,
      inboundId,
    })),
  );
  await runBatch(trx, query, columns, links.length);
}

export async function deleteLinks(
  trx: WriteTransaction,
  links: readonly Pick<StoredLink, 'clientId' | 'inboundId'>[],
): Promise<void> {
  if (links.length === 0) return;
  const query = trx.deleteFrom('clientInbounds').where('clientId', '=', 0).where('inboundId', '=', 0);
  const columns = columnsOf(links.map(({ clientId, inboundId }) => ({ clientId, inboundId })));
  await runBatch(trx, query, columns, links.length);
}

/** Deletes records with all dependent rows: states, attachments, external links. */
export async function deleteClientRows(trx: WriteTransaction, ids: readonly number[]): Promise<void> {
  await sql`DELETE FROM clients WHERE id IN ${numbersIn(asList(ids))}`.execute(trx);
}

/** Saves counters for a later return of the e-mail. */
export async function keepTraffics(trx: WriteTransaction, ids: readonly number[]): Promise<void> {
  await sql`
    INSERT INTO keptTraffics (emailKey, email, upBytes, downBytes, lastOnlineAtMs)
    SELECT client.emailKey, client.email, state.upBytes, state.downBytes, state.lastOnlineAtMs
    FROM ${eachNumber(asList(ids))} AS wanted
    CROSS JOIN clients AS client ON client.id = wanted.value
    CROSS JOIN clientStates AS state ON state.clientId = client.id WHERE true
    ON CONFLICT (emailKey) DO UPDATE SET email = excluded.email, upBytes = excluded.upBytes,
      downBytes = excluded.downBytes, lastOnlineAtMs = excluded.lastOnlineAtMs`.execute(trx);
}

/** @returns number of rows that existed. */
export async function dropKept(trx: WriteTransaction, emailKeys: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM keptTraffics WHERE emailKey IN ${textsIn(asList(emailKeys))}`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

export async function setLastOnline(
  trx: WriteTransaction,
  rows: readonly { clientId: number; lastOnlineAtMs: number }[],
): Promise<void> {
  if (rows.length === 0) return;
  const query = trx.updateTable('clientStates').set({ lastOnlineAtMs: 0 }).where('clientId', '=', 0);
  const columns = columnsOf(rows.map(({ clientId, lastOnlineAtMs }) => ({ lastOnlineAtMs, clientId })));
  await runBatch(trx, query, columns, rows.length);
}

/** Enables clients, whatever disabled them; enabled ones are not touched. */
export async function enableClients(trx: WriteTransaction, ids: readonly number[], nowMs: number): Promise<void> {
  const { rows } = await sql<{ clientId: number }>`UPDATE clientStates SET enable = 1, disabledBy = ''
    WHERE enable = 0 AND clientId IN ${numbersIn(asList(ids))} RETURNING clientId`.execute(trx);
  await touchRecords(
    trx,
    rows.map(({ clientId }) => clientId),
    nowMs,
  );
}

/** Disables clients manually; those disabled by the loop stay disabled from now on. */
export async function disableClients(trx: WriteTransaction, ids: readonly number[], nowMs: number): Promise<void> {
  const { rows } = await sql<{ clientId: number }>`UPDATE clientStates SET enable = 0, disabledBy = 'admin'
    WHERE disabledBy <> 'admin' AND clientId IN ${numbersIn(asList(ids))} RETURNING clientId`.execute(trx);
  await touchRecords(
    trx,
    rows.map(({ clientId }) => clientId),
    nowMs,
  );
}

/** Replaces the set, keeping its order. */
export async function replaceExternalLinks(
  trx: WriteTransaction,
  clientId: number,
  links: readonly ExternalLink[],
  nowMs: number,
): Promise<void> {
  await trx.deleteFrom('clientExternalLinks').where('clientId', '=', clientId).execute();
  const rows = links.map((link, sortIndex) => ({ ...link, clientId, sortIndex, createdAtMs: nowMs }));
  const [first] = rows;
  if (first === undefined) return;
  await runBatch(trx, trx.insertInto('clientExternalLinks').values(first), columnsOf(rows), rows.length);
}
