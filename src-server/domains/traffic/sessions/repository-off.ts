import { sql, type Kysely } from 'kysely';
import { eachText } from '../../../store/dialect/each-json.ts';
import type { Schema } from '../../../store/schema.ts';

/** Those of the names that may not connect to the inbound now: disabled, not attached, or without a client. */
export async function notAllowedOn(
  db: Kysely<Schema>,
  inboundId: number,
  emails: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{
    email: string;
  }>`SELECT asked.value AS email FROM ${eachText(JSON.stringify(emails))} AS asked
    WHERE NOT EXISTS (SELECT 1 FROM clients AS client
      JOIN clientStates AS state ON state.clientId = client.id AND state.enable = 1
      JOIN clientInbounds AS link ON link.clientId = client.id AND link.inboundId = ${inboundId}
      WHERE client.email = asked.value)`.execute(db);
  return rows.map(({ email }) => email);
}
