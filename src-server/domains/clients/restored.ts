import { sql } from 'kysely';
import type { Db } from '../../store/schema.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import { CHUNK_SIZE } from './bulk/chunked.ts';
import { credentialOf, keyBytesOf, type InboundFacts } from './rules/credential-rules.ts';
import { CLIENT_COLUMNS } from './storage/client-row.ts';
import { loadAttachments } from './storage/load-clients.ts';
import { inboundFacts } from './storage/repository-read.ts';
import { saveClients } from './storage/save-clients.ts';
import type { StoredClient } from './storage/stored-types.ts';
import { UserChanges } from './storage/user-changes.ts';
import type { ClientTrafficPort } from './traffic-port.ts';
import { complete } from './verbs/working-client.ts';

/** For clients and inbounds that are restored to an earlier state. */
export function createRestored(traffic: ClientTrafficPort, clock: () => number) {
  return {
    /**
     * Generates credentials for clients that have none for these inbounds, as when their protocol or cipher is changed.
     */
    async completeOn(trx: WriteTransaction, inboundIds: readonly number[]): Promise<UserChanges> {
      const changes = new UserChanges();
      if (inboundIds.length === 0) return changes;
      for (const inbound of (await inboundFacts(trx, inboundIds)).values())
        for (let afterId = 0; ;) {
          const rows = await clientsWithout(trx, inbound, afterId);
          if (rows.length === 0) break;
          const { clients } = await loadAttachments(trx, rows);
          for (const client of clients.values()) complete(client);
          changes.merge(await saveClients(trx, [...clients.values()], traffic, clock()));
          afterId = rows.at(-1)!.id;
        }
      return changes;
    },
  };
}

/** Up to {@link CHUNK_SIZE} clients of an inbound without a credential for it, after an id, by id. */
async function clientsWithout(db: Db, inbound: InboundFacts, afterId: number): Promise<StoredClient[]> {
  const kind = credentialOf(inbound.protocol);
  if (kind === null) return [];
  const password = sql`iif(link.passwordOverride = '', client.password, link.passwordOverride)`;
  const keyBytes = keyBytesOf(inbound);
  const isMissing =
    kind !== 'password'
      ? sql`${sql.ref(`client.${kind}`)} = ''`
      : keyBytes === null
        ? sql`${password} = ''`
        : sql`length(${password}) <> ${4 * Math.ceil(keyBytes / 3)}`;
  const { rows } = await sql<StoredClient>`
    SELECT ${CLIENT_COLUMNS} FROM clientInbounds AS link
    CROSS JOIN clients AS client ON client.id = link.clientId
    CROSS JOIN clientStates AS state ON state.clientId = link.clientId
    WHERE link.inboundId = ${inbound.id} AND link.clientId > ${afterId} AND ${isMissing}
    ORDER BY link.clientId LIMIT ${CHUNK_SIZE}`.execute(db);
  return rows;
}
