import * as z from 'zod';
import { DomainError } from '../../../contract/domain-error.ts';
import type { NodeClient } from '../node-client.ts';
import { readInThread } from './reading-thread.ts';
import { toSnapshot, type KnownStamps, type Snapshot } from './snapshot.ts';

const READ_MS = 4_000;
/** From this size on an answer is read in a thread: a hundred clients, a millisecond. */
const LARGE_BYTES = 65_536;

/**
 * Reads what the node holds; null when that is still what it was under `knownTag`.
 * @param known configurations that need not be told again
 * @throws {DomainError} as {@link NodeClient.call}
 */
export async function readSnapshot(
  client: Pick<NodeClient, 'raw'>,
  known: KnownStamps,
  knownTag = '',
): Promise<{ snapshot: Snapshot; tag: string; order: string } | null> {
  const question = { method: 'GET', path: 'inbounds/list', timeoutMs: READ_MS } as const;
  const answer = await client.raw(knownTag === '' ? question : { ...question, knownTag });
  if (answer === null) return null;
  const { body, tag, order } = answer;
  return {
    snapshot: body.length < LARGE_BYTES ? toSnapshot(body.toString(), known) : await readInThread(body, known),
    tag,
    order,
  };
}

/**
 * Hosts of an inbound there, as the node tells of them; none where it does not know of hosts.
 * @throws {DomainError} when it is not reached
 */
export async function readHosts(client: NodeClient, remoteId: number): Promise<unknown[]> {
  try {
    const path = `hosts/byInbound/${remoteId}`;
    return await client.call({ method: 'GET', path, result: z.array(z.unknown()), timeoutMs: READ_MS });
  } catch (error) {
    if (error instanceof DomainError && KNOWS_NO_HOSTS.has(error.code)) return [];
    throw error;
  }
}
const KNOWS_NO_HOSTS = new Set(['node.refused', 'node.http', 'node.badAnswer']);

/** Tags of inbounds that moved bytes on the node and on the panels behind it, by their GUIDs. @throws {DomainError} as {@link NodeClient.call} */
export function readActive(client: NodeClient): Promise<Record<string, string[]>> {
  return client.call({
    method: 'POST',
    path: 'clients/activeInbounds',
    result: z.record(z.string(), z.array(z.string())),
    timeoutMs: READ_MS,
  });
}

/**
 * Who is online on the node and on the panels behind it, by their GUIDs, under the names the node knows.
 * @throws {DomainError} as {@link NodeClient.call}
 */
export function readOnline(client: NodeClient): Promise<Record<string, string[]>> {
  return client.call({
    method: 'POST',
    path: 'clients/onlinesByGuid',
    result: z.record(z.string(), z.array(z.string())),
    timeoutMs: READ_MS,
  });
}
