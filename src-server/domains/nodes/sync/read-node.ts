import * as z from 'zod';
import { DomainError } from '../../../contract/domain-error.ts';
import type { NodeClient } from '../node-client.ts';
import { readInThread } from './reading-thread.ts';
import { toSnapshot, type KnownStamps, type Snapshot } from './snapshot.ts';

const READ_MS = 4_000;
/** Larger responses are parsed in a thread: a hundred clients, a millisecond. */
const LARGE_BYTES = 65_536;

/**
 * Reads what the node holds; null when it is unchanged since `knownTag`.
 * @param known configurations that need not be sent again
 * @throws {DomainError} as {@link NodeClient.call}
 */
export async function readSnapshot(
  client: Pick<NodeClient, 'raw'>,
  known: KnownStamps,
  knownTag = '',
): Promise<{ snapshot: Snapshot; tag: string; order: string } | null> {
  const request = { method: 'GET', path: 'inbounds/list', timeoutMs: READ_MS } as const;
  const response = await client.raw(knownTag === '' ? request : { ...request, knownTag });
  if (response === null) return null;
  const { body, tag, order } = response;
  return {
    snapshot: body.length < LARGE_BYTES ? toSnapshot(body.toString(), known) : await readInThread(body, known),
    tag,
    order,
  };
}

/**
 * Hosts of an inbound on the node; empty when it does not support hosts.
 * @throws {DomainError} when it is unreachable
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

/**
 * Tags of inbounds with traffic on the node and on the panels behind it, by GUID. @throws {DomainError} as
 * {@link NodeClient.call}
 */
export function readActive(client: NodeClient): Promise<Record<string, string[]>> {
  return client.call({
    method: 'POST',
    path: 'clients/activeInbounds',
    result: z.record(z.string(), z.array(z.string())),
    timeoutMs: READ_MS,
  });
}

/**
 * Online clients of the node and of the panels behind it, by GUID, by the names the node knows.
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
