import type { WriteTransaction } from '../../../store/open-store.ts';
import type { RequestId, RunChange } from './change-runner.ts';
import { notFound } from './bulk-switch.ts';
import { credentialOf, type Credentials, type InboundFacts } from '../rules/credential-rules.ts';
import { namedChunks, type NamedEmail } from './email-list.ts';
import { findClashes } from '../rules/identity-check.ts';
import { loadNamed } from '../storage/load-clients.ts';
import { reasonOf } from './reason.ts';
import { inboundFacts } from '../storage/repository-read.ts';
import { saveClients } from '../storage/save-clients.ts';
import type { ClientTrafficPort } from '../traffic-port.ts';
import { UserChanges } from '../storage/user-changes.ts';
import { unwatched, type Watch } from '../list/watch.ts';
import { attach, complete, credentialsOf, detach, flowOf, type WorkingClient } from '../verbs/working-client.ts';
import { DomainError } from '../../../contract/domain-error.ts';

/** E-mails by result, and errors as `<email>: <text>` or `inbound <id>: <text>`. */
export interface BulkAttached {
  attached: string[];
  /** Already attached to at least one of the inbounds. */
  skipped: string[];
  errors: string[];
}

export interface BulkDetached {
  detached: string[];
  /** Attached to none of the inbounds. */
  skipped: string[];
  errors: string[];
}

const missing = (email: string): string => `${email}: ${notFound(email).reason}`;

export function createBulkAttach(run: RunChange, traffic: ClientTrafficPort, clock: () => number) {
  /** Attaches every client to every inbound, as far as possible. */
  return async (
    emails: readonly string[],
    inboundIds: readonly number[],
    requestId: RequestId,
    watch: Watch = unwatched,
  ): Promise<BulkAttached> => {
    const result: BulkAttached = { attached: [], skipped: [], errors: [] };
    if (inboundIds.length === 0) return result;
    const { notes } = await run(requestId, async (trx) => {
      const changes = new UserChanges();
      const inbounds = await usableInbounds(trx, new Set(inboundIds), result.errors);
      for (const named of namedChunks(emails, watch))
        changes.merge(await attachChunk(trx, named, inbounds, result, { traffic, nowMs: clock() }));
      return { changes, result: null };
    });
    return { ...result, ...notes };
  };
}

async function usableInbounds(
  trx: WriteTransaction,
  ids: ReadonlySet<number>,
  errors: string[],
): Promise<InboundFacts[]> {
  const found = await inboundFacts(trx, [...ids]);
  const usable: InboundFacts[] = [];
  for (const id of ids) {
    const inbound = found.get(id);
    if (inbound === undefined) errors.push(reasonOf(new DomainError('client.inboundUnknown', { id })));
    else if (credentialOf(inbound.protocol) === null) {
      const error = new DomainError('client.protocolWithoutClients', { protocol: inbound.protocol });
      errors.push(`inbound ${id}: ${reasonOf(error)}`);
    } else usable.push(inbound);
  }
  return usable;
}

async function attachChunk(
  trx: WriteTransaction,
  named: readonly NamedEmail[],
  inbounds: readonly InboundFacts[],
  result: BulkAttached,
  { traffic, nowMs }: { traffic: ClientTrafficPort; nowMs: number },
): Promise<UserChanges> {
  const { clients } = await loadNamed(trx, named);
  const given = new Map<WorkingClient, Credentials>();
  for (const client of clients.values()) {
    const flow = flowOf(client);
    if (inbounds.every(({ id }) => client.links.has(id))) continue;
    for (const inbound of inbounds) attach(client, inbound, flow);
    given.set(client, credentialsOf(client));
    complete(client);
  }
  const clashes = await findClashes(trx, [...given.keys()], (client) => given.get(client)!);
  const refused = new Map(clashes.map(({ client, error }) => [client, error]));
  for (const { email, key } of named) {
    const client = clients.get(key);
    const error = client === undefined ? undefined : refused.get(client);
    if (client === undefined) result.errors.push(missing(email));
    else if (error !== undefined) result.errors.push(`${email}: ${reasonOf(error)}`);
    else {
      if (given.has(client)) result.attached.push(email);
      if (inbounds.some(({ id }) => client.storedLinks.has(id))) result.skipped.push(email);
    }
  }
  const attached = [...given.keys()].filter((client) => !refused.has(client));
  return saveClients(trx, attached, traffic, nowMs);
}

export function createBulkDetach(run: RunChange, traffic: ClientTrafficPort, clock: () => number) {
  /** Detaches every client from every inbound it is attached to; clients and counters stay. */
  return async (
    emails: readonly string[],
    inboundIds: readonly number[],
    requestId: RequestId,
    watch: Watch = unwatched,
  ): Promise<BulkDetached> => {
    const result: BulkDetached = { detached: [], skipped: [], errors: [] };
    if (inboundIds.length === 0) return result;
    const { notes } = await run(requestId, async (trx) => {
      const changes = new UserChanges();
      for (const named of namedChunks(emails, watch)) {
        const { clients } = await loadNamed(trx, named);
        for (const { email, key } of named) {
          const client = clients.get(key);
          const ids = inboundIds.filter((id) => client?.links.has(id) === true);
          for (const id of ids) detach(client!, id);
          if (client === undefined) result.errors.push(missing(email));
          else (ids.length > 0 ? result.detached : result.skipped).push(email);
        }
        changes.merge(await saveClients(trx, [...clients.values()], traffic, clock()));
      }
      return { changes, result: null };
    });
    return { ...result, ...notes };
  };
}
