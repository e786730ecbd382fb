import { sql, type RawBuilder } from 'kysely';
import { PROTOCOLS } from '../../../contract/protocol-catalogue.ts';
import { textsIn } from '../../../store/dialect/each-json.ts';
import { CAPTURED } from '../../../store/journal/captured-tables.ts';
import { rowKeyOf } from '../../../store/journal/images.ts';
import type { Db } from '../../../store/schema.ts';
import { credentialOf } from '../../clients/rules/credential-rules.ts';
import type { Conflict } from './repository-conflicts.ts';
import { inScope, type Scope } from './scope.ts';

export const CREDENTIALS = ['uuid', 'password', 'auth'] as const;
export type Credential = (typeof CREDENTIALS)[number];

/** At most this many are returned; one is enough to refuse. */
const MAX_CONFLICTS = 1_000;
const LINKS = CAPTURED.find(({ name }) => name === 'clientInbounds')!;
const raw = (text: string) => sql.raw(text);
const was = (column: string): string => `CAST(json_extract(r.before, '$.${column}') AS TEXT)`;
const isNamed = (column: string): RawBuilder<unknown> => raw(`json_type(r.before, '$.${column}') IS NOT NULL`);
const CLIENT_ID = raw(`CAST(json_extract(r.rowKey, '$[0]') AS INTEGER)`);
const INBOUND_ID = raw(`CAST(json_extract(r.rowKey, '$[1]') AS INTEGER)`);
/** An attachment or a client that the entry removed. */
const IS_BACK = sql`r.before IS NOT NULL AND r.after IS NULL`;

/** A value after the undo: that of the entry's row, or else the current one. */
const restored = (scope: Scope, table: 'clients' | 'inbounds', id: RawBuilder<unknown>, column: string) =>
  sql<string>`coalesce((SELECT ${raw(was(column))} FROM journalRows AS r
    WHERE ${inScope(scope, table)} AND r.rowKey = CAST(${id} AS TEXT)),
    (SELECT ${raw(column)} FROM ${raw(table)} WHERE id = ${id}))`;

/** `link` is there now, and stays: the entry did not add it. */
const linkStays = (scope: Scope): RawBuilder<unknown> =>
  sql`NOT EXISTS (SELECT 1 FROM journalRows AS r WHERE ${inScope(scope, LINKS.name)}
    AND r.rowKey = ${raw(rowKeyOf(LINKS, 'link'))} AND r.before IS NULL)`;

/** `link` has no password of its own. */
const usesRecord = (kind: Credential): RawBuilder<unknown> =>
  kind === 'password' ? sql`link.passwordOverride = ''` : sql`true`;

/** Protocols whose clients use this credential; null = those without clients. */
const protocolsOf = (kind: Credential | null): RawBuilder<unknown> =>
  textsIn(JSON.stringify(PROTOCOLS.filter((protocol) => credentialOf(protocol) === kind)));

/** A credential that a client uses again on an inbound, and another client there that may use the same. */
export interface Shared {
  email: string;
  inboundId: number;
  protocol: string;
  credential: string;
  other: string;
  otherCredential: string;
}

/**
 * Credentials that the undo restores, with clients of the same inbound that use a similar one by now: an index finds
 * the same password, and the last 12 characters of the others.
 */
export async function sharedCredentials(db: Db, scope: Scope, kind: Credential): Promise<Shared[]> {
  const isPassword = kind === 'password';
  const own = isPassword ? raw(`nullif(${was('passwordOverride')}, '')`) : sql`NULL`;
  const isOtherKey = isPassword ? sql` OR ${isNamed('passwordOverride')}` : sql``;
  const tail = (text: string): string => (kind === 'auth' ? `lower(substr(${text}, -12))` : `substr(${text}, -12)`);
  const isSimilar = isPassword
    ? sql`other.password = wanted.credential`
    : raw(`${tail(`other.${kind}`)} = ${tail('wanted.credential')}`);
  const { rows } = await sql<Shared>`
    SELECT ${restored(scope, 'clients', raw('wanted.clientId'), 'email')} AS email, wanted.inboundId,
      ${restored(scope, 'inbounds', raw('wanted.inboundId'), 'protocol')} AS protocol, wanted.credential,
      other.email AS other, other.${raw(kind)} AS "otherCredential"
    FROM (
      SELECT back.clientId, back.inboundId,
        coalesce(back.own, ${restored(scope, 'clients', raw('back.clientId'), kind)}) AS credential
      FROM (SELECT ${CLIENT_ID} AS clientId, ${INBOUND_ID} AS inboundId, ${own} AS own FROM journalRows AS r
        WHERE ${inScope(scope, LINKS.name)} AND r.before IS NOT NULL AND (r.after IS NULL${isOtherKey})) AS back
      UNION ALL
      SELECT link.clientId, link.inboundId, ${raw(was(kind))} FROM journalRows AS r
      CROSS JOIN clientInbounds AS link ON link.clientId = CAST(r.rowKey AS INTEGER)
      WHERE ${inScope(scope, 'clients')} AND r.after IS NOT NULL AND ${isNamed(kind)}
        AND ${usesRecord(kind)} AND ${linkStays(scope)}
    ) AS wanted
    CROSS JOIN clients AS other ON ${isSimilar} AND other.${raw(kind)} <> '' AND other.id <> wanted.clientId
    WHERE (EXISTS (SELECT 1 FROM clientInbounds AS link WHERE link.clientId = other.id
          AND link.inboundId = wanted.inboundId AND ${usesRecord(kind)} AND ${linkStays(scope)})
        OR EXISTS (SELECT 1 FROM journalRows AS r WHERE ${inScope(scope, LINKS.name)} AND ${IS_BACK}
          AND r.rowKey = json_array(other.id, wanted.inboundId)))
      AND NOT EXISTS (SELECT 1 FROM journalRows AS r WHERE ${inScope(scope, 'clients')}
        AND r.rowKey = CAST(other.id AS TEXT) AND (r.before IS NULL OR ${isNamed(kind)}))
    LIMIT ${MAX_CONFLICTS}`.execute(db);
  return rows;
}

/** Attachments that come back to an inbound whose protocol has no clients by now. */
export async function unservedLinks(db: Db, scope: Scope): Promise<{ inboundId: number; protocol: string }[]> {
  const { rows } = await sql<{ inboundId: number; protocol: string }>`
    SELECT wanted.inboundId, inbound.protocol
    FROM (SELECT DISTINCT ${INBOUND_ID} AS inboundId FROM journalRows AS r
      WHERE ${inScope(scope, LINKS.name)} AND ${IS_BACK}) AS wanted
    CROSS JOIN inbounds AS inbound ON inbound.id = wanted.inboundId
    WHERE ${restored(scope, 'inbounds', raw('wanted.inboundId'), 'protocol')} IN ${protocolsOf(null)}`.execute(db);
  return rows;
}

/** Attachments made since that would end: the former protocol has no clients, or the client no credential for it. */
export async function endedLinks(db: Db, scope: Scope): Promise<Conflict[]> {
  const link = sql`SELECT 'dependent' AS reason, r.tableName, r.rowKey, ${LINKS.name} AS blockingTable,
    ${raw(rowKeyOf(LINKS, 'link'))} AS blockingKey FROM journalRows AS r CROSS JOIN clientInbounds AS link`;
  const { rows: unserved } = await sql<Conflict>`${link} ON link.inboundId = CAST(r.rowKey AS INTEGER)
    WHERE ${inScope(scope, 'inbounds')} AND r.after IS NOT NULL AND ${isNamed('protocol')}
      AND ${raw(was('protocol'))} IN ${protocolsOf(null)} AND ${linkStays(scope)} LIMIT ${MAX_CONFLICTS}`.execute(db);
  const found = [...unserved];
  for (const kind of CREDENTIALS) {
    const { rows } = await sql<Conflict>`${link} ON link.clientId = CAST(r.rowKey AS INTEGER)
      WHERE ${inScope(scope, 'clients')} AND r.after IS NOT NULL AND ${isNamed(kind)} AND ${raw(was(kind))} = ''
        AND ${usesRecord(kind)} AND ${linkStays(scope)}
        AND ${restored(scope, 'inbounds', raw('link.inboundId'), 'protocol')} IN ${protocolsOf(kind)} LIMIT ${MAX_CONFLICTS}`.execute(
      db,
    );
    found.push(...rows);
  }
  return found;
}

/** Inbounds whose clients may have no credential for them after the undo. */
export async function inboundsToComplete(db: Db, scope: Scope): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT ${INBOUND_ID} AS id FROM journalRows AS r WHERE ${inScope(scope, LINKS.name)} AND ${IS_BACK}
    UNION SELECT CAST(r.rowKey AS INTEGER) FROM journalRows AS r WHERE ${inScope(scope, 'inbounds')}
      AND r.before IS NOT NULL AND r.after IS NOT NULL AND (${isNamed('protocol')} OR ${isNamed('settings')})`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
