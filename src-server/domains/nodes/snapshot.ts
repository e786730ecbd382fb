import * as z from 'zod';
import { foldText } from '../../store/fold-text.ts';
import type { NodeClient } from './node-client.ts';

const SNAPSHOT_MS = 4_000;

/** Bytes; a node can say what it likes, so only what fits is believed. */
const Count = z.int().min(0).catch(0);

/** What is read of an inbound in a node's list. */
const RemoteInbound = z.object({
  id: z.int(),
  tag: z.string(),
  up: Count,
  down: Count,
  originNodeGuid: z.string().default(''),
  clientStats: z
    .array(
      z.object({
        email: z.string(),
        up: Count,
        down: Count,
        enable: z.boolean().default(true),
        /** As everywhere: ms, 0 = never, negative = a duration that starts at first traffic. */
        expiryTime: z.int().catch(0),
        lastOnline: z.int().catch(0),
      }),
    )
    .nullable()
    .transform((rows) => rows ?? []),
});
type RemoteInbound = z.output<typeof RemoteInbound>;

/** One client's counters on a node: one shared counter, which the node repeats under each of its inbounds. */
export interface RemoteCounter {
  emailKey: string;
  up: number;
  down: number;
  isEnabled: boolean;
  expiresAtMs: number;
  lastOnlineAtMs: number;
}

/** What a node held at one moment. */
export interface Snapshot {
  inbounds: { id: number; tag: string; up: number; down: number; originNodeGuid: string; emailKeys: string[] }[];
  counters: Map<string, RemoteCounter>;
}

/** Reads what the node holds. @throws {DomainError} as {@link NodeClient.call} */
export async function readSnapshot(client: NodeClient): Promise<Snapshot> {
  const inbounds = await client.call({
    method: 'GET',
    path: 'inbounds/list',
    result: z.array(RemoteInbound),
    timeoutMs: SNAPSHOT_MS,
  });
  return fold(inbounds);
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
    timeoutMs: SNAPSHOT_MS,
  });
}

/** Copies of one counter are never added up: the largest is the one that was read last. */
function fold(inbounds: readonly RemoteInbound[]): Snapshot {
  const counters = new Map<string, RemoteCounter>();
  const folded = inbounds.map(({ clientStats, ...inbound }) => {
    const emailKeys = clientStats.map(({ email, up, down, enable, expiryTime, lastOnline }) => {
      const emailKey = foldText(email);
      const seen = counters.get(emailKey);
      counters.set(emailKey, {
        emailKey,
        up: Math.max(up, seen?.up ?? 0),
        down: Math.max(down, seen?.down ?? 0),
        isEnabled: enable && (seen?.isEnabled ?? true),
        expiresAtMs: Math.max(expiryTime, seen?.expiresAtMs ?? expiryTime),
        lastOnlineAtMs: Math.max(lastOnline, seen?.lastOnlineAtMs ?? 0),
      });
      return emailKey;
    });
    return { ...inbound, emailKeys };
  });
  return { inbounds: folded, counters };
}
