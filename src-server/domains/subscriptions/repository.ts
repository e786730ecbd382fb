import { sql, type Kysely } from 'kysely';
import type { Schema } from '../../store/schema.ts';

/** A client as its subscription shows it. */
export interface Subscriber {
  id: number;
  email: string;
  subId: string;
  uuid: string;
  tgId: number;
  enable: 0 | 1;
  quotaBytes: number;
  expiresAtMs: number;
  upBytes: number;
  downBytes: number;
  lastOnlineAtMs: number;
}

/** Clients with this subId, by id; found through its index. */
export async function subscribersOf(db: Kysely<Schema>, subId: string): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    SELECT client.id, client.email, client.subId, client.uuid, client.tgId, state.enable, state.quotaBytes,
      state.expiresAtMs, state.upBytes, state.downBytes, state.lastOnlineAtMs
    FROM clients AS client JOIN clientStates AS state ON state.clientId = client.id
    WHERE client.subId = ${subId} AND client.subId <> '' ORDER BY client.id`.execute(db);
  return rows;
}
