import { sql } from 'kysely';
import type { Db, Schema } from '../../store/schema.ts';
import { eachText } from '../../store/dialect/each-json.ts';

/** Counters of these clients, as stored. */
export async function countersOf(
  db: Db,
  emails: readonly string[],
): Promise<{ email: string; upBytes: number; downBytes: number }[]> {
  const { rows } = await sql<{ email: string; upBytes: number; downBytes: number }>`
    SELECT client.email, state.upBytes, state.downBytes FROM ${eachText(JSON.stringify(emails))} AS j
    CROSS JOIN clients AS client ON client.email = j.value CROSS JOIN clientStates AS state ON state.clientId = client.id`.execute(
    db,
  );
  return rows;
}

/** Which of these clients are attached to an inbound. */
export async function attachedTo(db: Db, emails: readonly string[], inboundId: number): Promise<Set<string>> {
  const { rows } = await sql<{ email: string }>`
    SELECT client.email FROM ${eachText(JSON.stringify(emails))} AS j
    CROSS JOIN clients AS client ON client.email = j.value
    CROSS JOIN clientInbounds AS link ON link.clientId = client.id AND link.inboundId = ${inboundId}`.execute(db);
  return new Set(rows.map(({ email }) => email));
}

/** Folded e-mails of clients seen since `fromSec` at an address with this prefix. */
export async function seenAt(db: Db, prefix: string, fromSec: number): Promise<Set<string>> {
  const { rows } = await sql<{ emailKey: string }>`SELECT DISTINCT emailKey FROM clientAddresses
    WHERE seenAtSec >= ${fromSec} AND substr(ip, 1, length(${prefix})) = ${prefix}`.execute(db);
  return new Set(rows.map(({ emailKey }) => emailKey));
}

export type SeenAddress = Omit<Schema['clientAddresses'], 'email'>;

/** Addresses of these clients since `fromSec`, newest first. */
export async function addressesOf(db: Db, emailKeys: readonly string[], fromSec: number): Promise<SeenAddress[]> {
  const { rows } = await sql<SeenAddress>`SELECT seen.emailKey, seen.guid, seen.ip, seen.seenAtSec
    FROM ${eachText(JSON.stringify(emailKeys))} AS j CROSS JOIN clientAddresses AS seen ON seen.emailKey = j.value
    WHERE seen.seenAtSec >= ${fromSec} ORDER BY seen.seenAtSec DESC, seen.ip`.execute(db);
  return rows;
}

export interface Attachment {
  email: string;
  id: number;
  tag: string;
  remark: string;
  protocol: string;
  nodeId: number | null;
  /** Panel whose core runs it; empty = this one. */
  guid: string;
}

/** Enabled inbounds these clients are attached to, with the panel that runs each. */
export async function attachmentsOf(db: Db, emails: readonly string[]): Promise<Attachment[]> {
  const { rows } = await sql<Attachment>`
    SELECT client.email, inbound.id, inbound.tag, inbound.remark, inbound.protocol, inbound.nodeId,
      coalesce(nullif(inbound.originNodeGuid, ''), node.guid, '') AS guid
    FROM ${eachText(JSON.stringify(emails))} AS j CROSS JOIN clients AS client ON client.email = j.value
    CROSS JOIN clientInbounds AS link ON link.clientId = client.id
    CROSS JOIN inbounds AS inbound ON inbound.id = link.inboundId AND inbound.enable = 1
    LEFT JOIN nodes AS node ON node.id = inbound.nodeId ORDER BY inbound.id`.execute(db);
  return rows;
}

export async function nodeNames(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('nodes').select(['guid', 'name']).where('guid', '<>', '').execute();
  return new Map(rows.map(({ guid, name }) => [guid, name]));
}
