import { hash } from 'node:crypto';
import * as z from 'zod';
import type { JsonObject } from '../../../contract/json.ts';
import { foldText } from '../../../store/fold-text.ts';
import { readAnswer } from '../answer.ts';

/** Bytes; a node can say what it likes, so only what fits is believed. */
const Count = z.int().min(0).catch(0);
/** Bytes of a client. What is none says nothing: as zero it would be a new baseline, and the next answer would count everything once more. */
const ClientCount = z.int().min(0).nullable().catch(null);

type Counts = { up: number | null; down: number | null };
const isCounted = <T extends Counts>(row: T): row is T & { up: number; down: number } =>
  row.up !== null && row.down !== null;

/** What is read of an inbound in a node's list; the rest, its configuration, is kept as it is reported. */
const RemoteInbound = z.looseObject({
  id: z.int(),
  tag: z.string(),
  up: Count,
  down: Count,
  originNodeGuid: z.string().default(''),
  clientStats: z
    .array(
      z.object({
        email: z.string(),
        up: ClientCount,
        down: ClientCount,
        enable: z.boolean().default(true),
        /** As everywhere: ms, 0 = never, negative = a duration that starts at first traffic. */
        expiryTime: z.int().catch(0),
        lastOnline: z.int().catch(0),
      }),
    )
    .nullable()
    .transform((rows) => (rows ?? []).filter(isCounted)),
});
type RemoteInbound = z.output<typeof RemoteInbound>;

/**
 * Counters of a node's clients, a column each: one shared counter per client, which the node repeats under each of its
 * inbounds. Columns, because they go from thread to thread without being taken apart.
 */
export interface RemoteCounters {
  /** Folded e-mails, each once. */
  emailKeys: string[];
  up: Float64Array;
  down: Float64Array;
  /** 1 or 0. */
  isEnabled: Float64Array;
  expiresAtMs: Float64Array;
  lastOnlineAtMs: Float64Array;
}

export interface SnapshotInbound {
  id: number;
  tag: string;
  up: number;
  down: number;
  originNodeGuid: string;
  /** Its clients: places in the columns of the counters. */
  clients: Uint32Array;
  /** Another one after every change of how it is configured there, its clients included. */
  stamp: string;
  /** All that is reported of it but counters of clients; null = the stamp is the known one. */
  reported: JsonObject | null;
}

/** Stamps of inbounds, by tag, whose configuration need not be reported again. */
export type KnownStamps = ReadonlyMap<string, string>;

/** What a node held at one moment. */
export interface Snapshot {
  inbounds: SnapshotInbound[];
  counters: RemoteCounters;
}

/** Reads the answer to `inbounds/list`. @throws {DomainError} as {@link readAnswer} */
export function toSnapshot(text: string, known: KnownStamps): Snapshot {
  return fold(readAnswer(text, z.array(RemoteInbound)), known);
}

/** What moves by itself, and so is no part of how an inbound is configured. */
const MOVING = new Set(['id', 'up', 'down', 'clientStats', 'originNodeGuid', 'lastTrafficResetTime']);

function configurationOf(inbound: RemoteInbound): JsonObject {
  return Object.fromEntries(Object.entries(inbound).filter(([key]) => !MOVING.has(key))) as JsonObject;
}

/** Copies of one counter are never added up: the largest is the one that was read last. */
function fold(inbounds: readonly RemoteInbound[], stamps: KnownStamps): Snapshot {
  const places = new Map<string, number>();
  const most = inbounds.reduce((sum, { clientStats }) => sum + clientStats.length, 0);
  const [up, down, isEnabled, expiresAtMs, lastOnlineAtMs] = Array.from(
    { length: 5 },
    () => new Float64Array(most),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  const folded = inbounds.map((inbound): SnapshotInbound => {
    const { id, tag, up: inboundUp, down: inboundDown, originNodeGuid, clientStats } = inbound;
    const reported = configurationOf(inbound);
    const stamp = hash('sha1', JSON.stringify(reported));
    const clients = Uint32Array.from(clientStats, (each) => {
      const emailKey = foldText(each.email);
      const known = places.get(emailKey);
      const at = known ?? places.size;
      if (known === undefined) places.set(emailKey, at);
      up[at] = Math.max(each.up, up[at]!);
      down[at] = Math.max(each.down, down[at]!);
      isEnabled[at] = Number(each.enable && (known === undefined || isEnabled[at] === 1));
      expiresAtMs[at] = known === undefined ? each.expiryTime : Math.max(each.expiryTime, expiresAtMs[at]!);
      lastOnlineAtMs[at] = Math.max(each.lastOnline, lastOnlineAtMs[at]!);
      return at;
    });
    const shown = { id, tag, up: inboundUp, down: inboundDown, originNodeGuid, clients, stamp };
    return { ...shown, reported: stamps.get(tag) === stamp ? null : reported };
  });
  const cut = (column: Float64Array): Float64Array => column.slice(0, places.size);
  return {
    inbounds: folded,
    counters: {
      emailKeys: [...places.keys()],
      up: cut(up),
      down: cut(down),
      isEnabled: cut(isEnabled),
      expiresAtMs: cut(expiresAtMs),
      lastOnlineAtMs: cut(lastOnlineAtMs),
    },
  };
}

/** Those that are not what they were in an earlier answer. */
export function otherCounters(before: RemoteCounters, now: RemoteCounters): RemoteCounters {
  const columns = ['up', 'down', 'isEnabled', 'expiresAtMs', 'lastOnlineAtMs'] as const;
  const places = now.emailKeys.flatMap((emailKey, at) =>
    // A panel tells of its clients in the same order; of another order nothing is known.
    emailKey === before.emailKeys[at] && columns.every((column) => now[column][at] === before[column][at]) ? [] : [at],
  );
  const only = (column: Float64Array): Float64Array => Float64Array.from(places, (at) => column[at]!);
  return {
    emailKeys: places.map((at) => now.emailKeys[at]!),
    up: only(now.up),
    down: only(now.down),
    isEnabled: only(now.isEnabled),
    expiresAtMs: only(now.expiresAtMs),
    lastOnlineAtMs: only(now.lastOnlineAtMs),
  };
}

/** Present counters by folded e-mail; made when it is first asked, since most polls deliver nothing. */
export function counterLookup({ counters }: Snapshot): (emailKey: string) => { upBytes: number; downBytes: number } {
  let places: Map<string, number> | null = null;
  return (emailKey) => {
    places ??= new Map(counters.emailKeys.map((key, at) => [key, at]));
    const at = places.get(emailKey);
    return at === undefined
      ? { upBytes: 0, downBytes: 0 }
      : { upBytes: counters.up[at]!, downBytes: counters.down[at]! };
  };
}
