import { sql } from 'kysely';
import { DomainError } from '../../../contract/domain-error.ts';
import type { Db } from '../../../store/schema.ts';
import { credentialOf, effectivePassword, identityOf, type Credentials } from './credential-rules.ts';
import { credentialsOf, type WorkingClient } from '../verbs/working-client.ts';
import { eachObject } from '../../../store/dialect/each-json.ts';

/** A credential that a client will newly use on an inbound. */
interface Claim {
  client: WorkingClient;
  inboundId: number;
  protocol: string;
  kind: 'uuid' | 'password' | 'auth';
  credential: string;
}

/** Credentials of a client that were not generated just now, with keys that it has on single inbounds. */
export type GivenCredentials = Credentials & { keys?: ReadonlySet<string> };

/** Two clients that the core could not tell apart. */
export interface Clash {
  client: WorkingClient;
  error: DomainError;
}

/**
 * Finds clients whose credential another client of the same inbound already uses, in the store or among `clients`: the
 * core does not report this and counts one's traffic for the other. Random credentials generated just now are not
 * looked up: `given` returns those that existed before.
 * @param clients everything saved together; their stored credentials no longer count.
 */
export async function findClashes(
  db: Db,
  clients: readonly WorkingClient[],
  given: (client: WorkingClient) => GivenCredentials,
): Promise<Clash[]> {
  const clashes = new Map<WorkingClient, Clash>();
  const claims: Claim[] = [];
  const holders = new Map<string, { client: WorkingClient; isClaim: boolean }>();
  for (const client of clients) {
    for (const claim of credentialsInUse(client)) {
      const isClaim = isNew(claim) && wasGiven(claim, given(client));
      const place = placeOf(claim.inboundId, claim.protocol, claim.credential);
      const holder = holders.get(place);
      if (holder === undefined) holders.set(place, { client, isClaim });
      else if (isClaim) clashes.set(client, clashOf(claim, holder.client.values.email));
      else if (holder.isClaim)
        clashes.set(holder.client, clashOf({ ...claim, client: holder.client }, client.values.email));
      if (isClaim) claims.push(claim);
    }
  }
  const saved = new Set(clients.flatMap(({ stored }) => (stored === null ? [] : [stored.id])));
  for (const kind of ['uuid', 'password', 'auth'] as const) {
    const wanted = claims.filter((claim) => claim.kind === kind);
    if (wanted.length === 0) continue;
    for (const { at, clientId, email, credential } of await HOLDERS[kind](db, wanted)) {
      const claim = wanted[at]!;
      if (saved.has(clientId) || clashes.has(claim.client)) continue;
      if (identityOf(claim.protocol, credential) === identityOf(claim.protocol, claim.credential))
        clashes.set(claim.client, clashOf(claim, email));
    }
  }
  return [...clashes.values()];
}

function* credentialsInUse(client: WorkingClient): Generator<Claim> {
  const credentials = credentialsOf(client);
  for (const [inboundId, link] of client.links) {
    const { protocol } = link.inbound;
    const kind = credentialOf(protocol);
    if (kind === null) continue;
    const credential = kind === 'password' ? effectivePassword(credentials, link) : credentials[kind];
    yield { client, inboundId, protocol, kind, credential };
  }
}

function isNew({ client, inboundId, kind, credential }: Claim): boolean {
  const link = client.storedLinks.get(inboundId);
  if (client.stored === null || link === undefined) return true;
  const before = kind === 'password' ? effectivePassword(client.stored, link) : client.stored[kind];
  return before !== credential;
}

function wasGiven({ kind, credential }: Claim, given: GivenCredentials): boolean {
  return given[kind] === credential || (kind === 'password' && given.keys?.has(credential) === true);
}

const placeOf = (inboundId: number, protocol: string, credential: string): string =>
  `${inboundId} ${identityOf(protocol, credential)}`;

/** The refusal of a credential that `other` already uses on the inbound. */
export function credentialTaken(
  kind: Claim['kind'],
  clients: { email: string; other: string; inboundId: number },
): DomainError {
  return new DomainError('client.credentialTaken', { field: kind === 'uuid' ? 'id' : kind, ...clients });
}

function clashOf({ client, inboundId, kind }: Claim, other: string): Clash {
  const { email } = client.values;
  return { client, error: credentialTaken(kind, { email, other, inboundId }) };
}

/** A client on the claimed inbound whose credential may be the same; `at` is the claim's index. */
interface Holder {
  at: number;
  clientId: number;
  email: string;
  credential: string;
}

/** Candidates per kind, each found through an index: by the last 12 characters, or by the whole password. */
const HOLDERS: Record<Claim['kind'], (db: Db, claims: readonly Claim[]) => Promise<Holder[]>> = {
  uuid: async (db, claims) => {
    const { rows } = await sql<Holder>`
      SELECT wanted.key AS at, client.id AS clientId, client.email, client.uuid AS credential
      FROM ${eachObject(asClaims(claims, tailOf))} AS wanted
      CROSS JOIN clients AS client ON substr(client.uuid, -12) = wanted.value ->> 1 AND client.uuid <> ''
      CROSS JOIN clientInbounds AS link ON link.clientId = client.id AND link.inboundId = CAST(wanted.value ->> 0 AS INTEGER)`.execute(
      db,
    );
    return rows;
  },
  auth: async (db, claims) => {
    const { rows } = await sql<Holder>`
      SELECT wanted.key AS at, client.id AS clientId, client.email, client.auth AS credential
      FROM ${eachObject(asClaims(claims, tailOf))} AS wanted
      CROSS JOIN clients AS client ON lower(substr(client.auth, -12)) = wanted.value ->> 1 AND client.auth <> ''
      CROSS JOIN clientInbounds AS link ON link.clientId = client.id AND link.inboundId = CAST(wanted.value ->> 0 AS INTEGER)`.execute(
      db,
    );
    return rows;
  },
  password: async (db, claims) => {
    const wanted = asClaims(claims, (credential) => credential);
    const { rows } = await sql<Holder>`
      SELECT wanted.key AS at, client.id AS clientId, client.email, client.password AS credential
      FROM ${eachObject(wanted)} AS wanted
      CROSS JOIN clients AS client ON client.password = wanted.value ->> 1 AND client.password <> ''
      CROSS JOIN clientInbounds AS link ON link.clientId = client.id AND link.inboundId = CAST(wanted.value ->> 0 AS INTEGER)
      WHERE link.passwordOverride = ''
      UNION ALL
      SELECT wanted.key, client.id, client.email, link.passwordOverride
      FROM ${eachObject(wanted)} AS wanted
      CROSS JOIN clientInbounds AS link ON link.passwordOverride = wanted.value ->> 1 AND link.passwordOverride <> ''
      CROSS JOIN clients AS client ON client.id = link.clientId
      WHERE link.inboundId = CAST(wanted.value ->> 0 AS INTEGER)`.execute(db);
    return rows;
  },
};

/** Matches SQLite's `lower` for all characters of a UUID. */
const tailOf = (credential: string): string => credential.slice(-12).replace(/[A-Z]/g, (char) => char.toLowerCase());

function asClaims(claims: readonly Claim[], keyOf: (credential: string) => string): string {
  return JSON.stringify(claims.map(({ inboundId, credential }) => [inboundId, keyOf(credential)]));
}
