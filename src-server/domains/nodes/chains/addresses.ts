import { sql } from 'kysely';
import * as z from 'zod';
import { foldText } from '../../../store/fold-text.ts';
import type { Store } from '../../../store/open-store.ts';
import type { Db } from '../../../store/schema.ts';
import type { NodeClient } from '../node-client.ts';
import { emailsByNames } from '../repository.ts';
import { textsIn } from '../../../store/dialect/each-json.ts';

const CALL_MS = 6_000;
/** Older sightings say nothing about where a client is now. */
const FRESH_SEC = 30 * 60;
/** Clients per call: far below a node's limit for request bodies. */
const PER_CALL = 2_000;

/** Addresses with the unix seconds they were last seen at. */
type Seen = { ip: string; timestamp: number }[];

/** The part of the address domain that nodes use. */
export interface AddressPort {
  /** Stores what a panel has seen itself, by current e-mail. */
  mergeSeen(guid: string, byEmail: Readonly<Record<string, Seen>>): Promise<void>;
}

const Reported = z.record(
  z.string(),
  z.record(z.string(), z.array(z.object({ ip: z.string().max(64), timestamp: z.int().min(0) })).max(10_000)),
);

interface Exchange {
  nodeId: number;
  client: NodeClient;
  /** GUID the node reports, and the one it has here. */
  guid: string;
  attribution: string;
  ownGuid: string;
  nowMs: number;
}

/**
 * Exchanges client addresses with a node. Sightings of the node and the panels behind it are stored here under their
 * GUIDs; sightings from elsewhere are sent there for clients with an address limit. A node never reports back what it
 * was sent.
 * @throws {DomainError} as {@link NodeClient.call}
 */
export async function exchangeAddresses(
  { store, addresses }: { store: Pick<Store, 'heavyReader'>; addresses: AddressPort },
  { nodeId, client, guid, attribution, ownGuid, nowMs }: Exchange,
): Promise<void> {
  const reported = await client.call({
    method: 'POST',
    path: 'clients/clientIpsByGuid',
    result: Reported,
    timeoutMs: CALL_MS,
  });
  const keys = Object.values(reported).flatMap((byEmail) => Object.keys(byEmail).map(foldText));
  const names = await emailsByNames(store.heavyReader, nodeId, keys);
  const observers: string[] = [];
  for (const [panel, byEmail] of Object.entries(reported)) {
    const observer = panel === guid ? attribution : panel;
    // In a circle of panels, this panel's own sightings come back.
    if (observer === ownGuid || observer === '') continue;
    observers.push(observer);
    const known = Object.entries(byEmail).flatMap(([email, seen]) => {
      const today = names.get(foldText(email));
      return today === undefined ? [] : [[today, seen] as const];
    });
    if (known.length > 0) await addresses.mergeSeen(observer, Object.fromEntries(known));
  }
  const elsewhere = await seenElsewhere(store.heavyReader, nodeId, observers, Math.floor(nowMs / 1000) - FRESH_SEC);
  for (let at = 0; at < elsewhere.length; at += PER_CALL)
    await client.call({
      method: 'POST',
      path: 'server/clientIps',
      body: { ips: elsewhere.slice(at, at + PER_CALL) },
      result: z.unknown(),
      timeoutMs: CALL_MS,
    });
}

/** Fresh addresses of the node's limited clients seen by other observers, by the names the node knows. */
async function seenElsewhere(
  db: Db,
  nodeId: number,
  observers: readonly string[],
  fromSec: number,
): Promise<{ clientEmail: string; ips: Seen }[]> {
  const { rows } = await sql<{ clientEmail: string; ips: string }>`SELECT held.email AS clientEmail,
      json_group_array(json_object('ip', seen.ip, 'timestamp', seen.seenAtSec)) AS ips
    FROM nodeClients AS held
    CROSS JOIN clients AS client ON client.id = held.clientId AND client.limitIp > 0
    CROSS JOIN clientAddresses AS seen ON seen.emailKey = client.emailKey AND seen.seenAtSec >= ${fromSec}
      AND seen.guid NOT IN ${textsIn(JSON.stringify(observers))}
    WHERE held.nodeId = ${nodeId} AND held.emailKey <> '' GROUP BY held.clientId, held.email`.execute(db);
  return rows.map(({ clientEmail, ips }) => ({ clientEmail, ips: JSON.parse(ips) as Seen }));
}
