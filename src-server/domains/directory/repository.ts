import { sql } from 'kysely';
import type { Db } from '../../store/schema.ts';
import { eachNumber, eachText } from '../../store/dialect/each-json.ts';

/** A client that the directory manages: one that it names, or one on its managed inbounds. */
export interface ConcernedClient {
  email: string;
  emailKey: string;
  enable: 0 | 1;
  disabledBy: '' | 'admin' | 'loop';
  /** Attached to one of the managed inbounds. */
  isManaged: 0 | 1;
}

export async function concernedClients(
  db: Db,
  emailKeys: readonly string[],
  inboundIds: readonly number[],
): Promise<ConcernedClient[]> {
  const { rows } = await sql<ConcernedClient>`
    WITH managed AS (
      SELECT DISTINCT link.clientId AS id FROM ${eachNumber(JSON.stringify(inboundIds))} AS wanted
      CROSS JOIN clientInbounds AS link ON link.inboundId = wanted.value
    ), named AS (
      SELECT client.id FROM ${eachText(JSON.stringify(emailKeys))} AS wanted
      CROSS JOIN clients AS client ON client.emailKey = wanted.value
    )
    SELECT client.email, client.emailKey, state.enable, state.disabledBy,
      client.id IN (SELECT id FROM managed) AS isManaged
    FROM (SELECT id FROM managed UNION SELECT id FROM named) AS concerned
    CROSS JOIN clients AS client ON client.id = concerned.id
    CROSS JOIN clientStates AS state ON state.clientId = concerned.id`.execute(db);
  return rows;
}

/** Inbounds with these tags. */
export function inboundsByTags(db: Db, tags: readonly string[]): Promise<{ id: number; tag: string }[]> {
  return db.selectFrom('inbounds').select(['id', 'tag']).where('tag', 'in', tags).execute();
}
