import { sql } from 'kysely';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Db } from '../../../store/schema.ts';
import { foldText } from '../../../store/fold-text.ts';
import { eachObject, eachText } from '../../../store/dialect/each-json.ts';

export interface DueEnding {
  clientId: number;
  /** Its name on the node. */
  email: string;
  /** `asNeeded`: the mildest step that leaves no session open. */
  how: 'leave' | 'readd' | 'restart' | 'asNeeded';
}

/** Clients whose change was delivered and whose open sessions there still have to be ended. */
export async function dueEndings(db: Db, nodeId: number): Promise<DueEnding[]> {
  const { rows } = await sql<DueEnding>`SELECT clientId, email, endSessions AS how FROM nodeClients
    WHERE nodeId = ${nodeId} AND endSessions <> '' AND changedAtMs = 0 AND email <> '' ORDER BY clientId`.execute(db);
  return rows;
}

export async function noteEndings(trx: WriteTransaction, nodeId: number, done: readonly DueEnding[]): Promise<void> {
  const json = JSON.stringify(done.map(({ clientId, how }) => ({ clientId, how })));
  await sql`UPDATE nodeClients SET endSessions = '' FROM ${eachObject(json)} AS j
    WHERE nodeClients.nodeId = ${nodeId} AND nodeClients.clientId = CAST(j.value ->> 'clientId' AS INTEGER)
      AND endSessions = j.value ->> 'how'`.execute(trx);
}

/** A separate request, for clients already disabled. @returns nodes that hold some of them */
export async function requestEndings(
  trx: WriteTransaction,
  emails: readonly string[],
  how: DueEnding['how'],
): Promise<number[]> {
  const keys = JSON.stringify(emails.map(foldText));
  const { rows } = await sql<{ nodeId: number }>`UPDATE nodeClients SET endSessions = ${how} WHERE email <> ''
    AND clientId IN (SELECT client.id FROM ${eachText(keys)} AS j JOIN clients AS client ON client.emailKey = j.value
      JOIN clientStates AS state ON state.clientId = client.id WHERE state.enable = 0)
    RETURNING nodeId`.execute(trx);
  return [...new Set(rows.map(({ nodeId }) => nodeId))];
}
