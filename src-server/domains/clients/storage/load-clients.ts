import type { Db } from '../../../store/schema.ts';
import type { NamedEmail } from '../bulk/email-list.ts';
import type { StoredClient } from './stored-types.ts';
import type { InboundFacts } from '../rules/credential-rules.ts';
import { clientsByKeys, inboundFacts, linksOf } from './repository-read.ts';
import type { WorkingClient, WorkingLink } from '../verbs/working-client.ts';

/** Clients and inbounds that a verb works on, read in three statements, however many there are. */
export interface Loaded {
  /** By folded e-mail; unknown e-mails are absent. */
  clients: Map<string, WorkingClient>;
  /** Every inbound of a loaded client, and the requested ones that exist. */
  inbounds: Map<number, InboundFacts>;
}

/** Reads clients by folded e-mail with their attachments, and inbounds by id. */
export async function loadClients(
  db: Db,
  emailKeys: readonly string[],
  inboundIds: Iterable<number> = [],
): Promise<Loaded> {
  const rows = emailKeys.length === 0 ? [] : await clientsByKeys(db, emailKeys);
  return loadAttachments(db, rows, inboundIds);
}

/** Like {@link loadClients}, for the e-mails of a bulk call. */
export const loadNamed = (db: Db, named: readonly NamedEmail[]): Promise<Loaded> =>
  loadClients(
    db,
    named.map(({ key }) => key),
  );

/** Like {@link loadClients}, for rows already read. */
export async function loadAttachments(
  db: Db,
  rows: readonly StoredClient[],
  inboundIds: Iterable<number> = [],
): Promise<Loaded> {
  const links =
    rows.length === 0
      ? []
      : await linksOf(
          db,
          rows.map(({ id }) => id),
        );
  const wanted = new Set([...inboundIds, ...links.map(({ inboundId }) => inboundId)]);
  const inbounds = wanted.size === 0 ? new Map<number, InboundFacts>() : await inboundFacts(db, [...wanted]);
  const linksByClient = new Map<number, Map<number, WorkingLink>>(rows.map(({ id }) => [id, new Map()]));
  for (const { clientId, inboundId, flowOverride, passwordOverride } of links) {
    const inbound = inbounds.get(inboundId)!;
    linksByClient.get(clientId)!.set(inboundId, { inbound, flowOverride, passwordOverride });
  }
  const clients = new Map(rows.map((row) => [row.emailKey, workOn(row, linksByClient.get(row.id)!)]));
  return { clients, inbounds };
}

function workOn(stored: StoredClient, storedLinks: Map<number, WorkingLink>): WorkingClient {
  const {
    id: _id,
    emailKey: _key,
    updatedAtMs: _at,
    upBytes: _up,
    downBytes: _down,
    lastOnlineAtMs: _seen,
    ...values
  } = stored;
  return {
    stored,
    storedLinks,
    values,
    links: new Map([...storedLinks].map(([id, link]) => [id, { ...link }])),
  };
}
