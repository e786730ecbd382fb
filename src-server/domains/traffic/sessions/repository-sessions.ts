import { sql } from 'kysely';
import type { Db } from '../../../store/schema.ts';
import { eachNumber, eachText } from '../../../store/dialect/each-json.ts';

/** Names per read on the main thread. */
const CHUNK = 400;

/** An inbound of this panel's own core, for finding open connections. */
export interface SessionPlace {
  inboundId: number;
  protocol: string;
  settings: string;
  streamSettings: string;
  /** Ports at which its connections arrive: its own and those of inbounds that fall back to it. */
  ports: number[];
}

/** The given inbounds that run here, without those of nodes. */
export async function sessionPlaces(db: Db, inboundIds: readonly number[]): Promise<SessionPlace[]> {
  const { rows } = await sql<Omit<SessionPlace, 'ports'> & { port: number; masters: string }>`
    SELECT inbound.id AS inboundId, inbound.protocol, inbound.settings, inbound.streamSettings,
      inbound.port, (SELECT json_group_array(master.port) FROM inboundFallbacks AS rule
        JOIN inbounds AS master ON master.id = rule.masterId WHERE rule.childId = inbound.id) AS masters
    FROM ${eachNumber(JSON.stringify([...inboundIds]))} AS j JOIN inbounds AS inbound ON inbound.id = j.value
    WHERE inbound.nodeId IS NULL`.execute(db);
  return rows.map(({ port, masters, ...place }) => ({
    ...place,
    ports: [port, ...(JSON.parse(masters) as number[])],
  }));
}

/** For each name the inbounds its client may use now; unknown names, and those of disabled clients, are left out. */
export async function inboundsInUse(
  db: Db,
  emails: readonly string[],
): Promise<{ email: string; inboundId: number }[]> {
  return inboundsOf(db, emails, sql`state.enable = 1`);
}

/** The inbounds that clients are attached to, enabled or not. */
export async function inboundsAttached(
  db: Db,
  emails: readonly string[],
): Promise<{ email: string; inboundId: number }[]> {
  return inboundsOf(db, emails, sql`true`);
}

async function inboundsOf(db: Db, emails: readonly string[], condition: ReturnType<typeof sql>) {
  const all: { email: string; inboundId: number }[] = [];
  for (let at = 0; at < emails.length; at += CHUNK) {
    const { rows } = await sql<{ email: string; inboundId: number }>`
      SELECT client.email, link.inboundId FROM ${eachText(JSON.stringify(emails.slice(at, at + CHUNK)))} AS j
      JOIN clients AS client ON client.email = j.value JOIN clientStates AS state ON state.clientId = client.id
      JOIN clientInbounds AS link ON link.clientId = client.id WHERE ${condition}`.execute(db);
    for (const row of rows) all.push(row);
  }
  return all;
}
