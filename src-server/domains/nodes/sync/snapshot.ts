import { hash } from 'node:crypto';
import * as z from 'zod';
import { DomainError } from '../../../contract/domain-error.ts';
import type { JsonObject } from '../../../contract/json.ts';
import { foldText } from '../../../store/fold-text.ts';
import { readResponse } from '../response.ts';

/** Bytes; null = out of range. As zero, it would look like a restart, and the next response would count all again. */
const Count = z.int().min(0).nullable().catch(null);
/** Fields read of an inbound in a node's list; the rest, its configuration, is kept as reported. */
const RemoteInbound = z.looseObject({
  id: z.int(),
  tag: z.string(),
  up: Count,
  down: Count,
  lastTrafficResetTime: Count.default(null),
  originNodeGuid: z.string().default(''),
  /** Checked row by row, see {@link toCounter}. */
  clientStats: z.custom<unknown[] | null>((rows) => rows === null || Array.isArray(rows)),
});
type RemoteInbound = z.output<typeof RemoteInbound>;

/** Validated counters of a client. */
interface Counter {
  email: string;
  up: number;
  down: number;
  isEnabled: boolean;
  /** As everywhere: ms, 0 = never, negative = a duration that starts at first traffic. */
  expiresAtMs: number;
  lastOnlineAtMs: number;
  /** Its traffic since it was created there, whatever was reset; {@link UNREPORTED} when the node does not say. */
  lifetimeUp: number;
  lifetimeDown: number;
}

/** In a column of numbers: the node does not report it. */
export const UNREPORTED = -1;

/**
 * Reads a row of `clientStats`. Written by hand: a node reports thousands at every poll, and a schema would copy each
 * one.
 * @returns null for an unusable row: as zero, its invalid bytes would set a new baseline, and the next response would
 *   count everything again
 * @throws {DomainError} `node.badAnswer` when it is not a row
 */
function toCounter(row: unknown): Counter | null {
  const {
    email,
    up,
    down,
    enable = true,
    expiryTime,
    lastOnline,
    ...lifetime
  } = (row ?? {}) as Record<string, unknown>;
  const { lifetimeUp, lifetimeDown } = lifetime;
  if (typeof email !== 'string' || typeof enable !== 'boolean')
    throw new DomainError('node.badAnswer', { text: 'a row of clientStats has no email or no enable' });
  if (!isBytes(up) || !isBytes(down)) return null;
  return {
    email,
    up,
    down,
    isEnabled: enable,
    expiresAtMs: whole(expiryTime),
    lastOnlineAtMs: whole(lastOnline),
    lifetimeUp: isBytes(lifetimeUp) ? lifetimeUp : UNREPORTED,
    lifetimeDown: isBytes(lifetimeDown) ? lifetimeDown : UNREPORTED,
  };
}

const isBytes = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const whole = (value: unknown): number => (Number.isSafeInteger(value) ? (value as number) : 0);

/**
 * Counters of a node's clients, one column per field: a client has one shared counter, which the node repeats under
 * each of its inbounds. Columns can be transferred between threads without copying.
 */
export interface RemoteCounters extends Record<Column, Float64Array> {
  /** Folded e-mails, each once. */
  emailKeys: string[];
}

/** `isEnabled` is 1 or 0. */
const COLUMNS = ['up', 'down', 'isEnabled', 'expiresAtMs', 'lastOnlineAtMs', 'lifetimeUp', 'lifetimeDown'] as const;
type Column = (typeof COLUMNS)[number];

const columnsBy = (column: (name: Column) => Float64Array): Record<Column, Float64Array> =>
  Object.fromEntries(COLUMNS.map((name) => [name, column(name)])) as Record<Column, Float64Array>;

export interface SnapshotInbound {
  id: number;
  tag: string;
  /** Null = not reported. */
  up: number | null;
  down: number | null;
  /** When it last reset its counters; null = not reported. */
  resetAtMs: number | null;
  originNodeGuid: string;
  /** Its clients: indexes into the columns of the counters. */
  clients: Uint32Array;
  /** Changes with every change of its configuration there, including its clients. */
  stamp: string;
  /** Everything reported except client counters; null = the stamp is the known one. */
  reported: JsonObject | null;
}

/** Stamps of inbounds, by tag, whose configuration need not be sent again. */
export type KnownStamps = ReadonlyMap<string, string>;

/** A node's state at one moment. */
export interface Snapshot {
  inbounds: SnapshotInbound[];
  counters: RemoteCounters;
}

/** Parses the response to `inbounds/list`. @throws {DomainError} as {@link readAnswer} */
export function toSnapshot(text: string, known: KnownStamps): Snapshot {
  return fold(readResponse(text, z.array(RemoteInbound)), known);
}

/** Fields that change by themselves, and so are no part of the configuration. */
const MOVING = new Set(['id', 'up', 'down', 'clientStats', 'originNodeGuid', 'lastTrafficResetTime']);

function configurationOf(inbound: RemoteInbound): JsonObject {
  return Object.fromEntries(Object.entries(inbound).filter(([key]) => !MOVING.has(key))) as JsonObject;
}

/** Copies of one counter are never summed: the largest is the latest. */
function fold(inbounds: readonly RemoteInbound[], stamps: KnownStamps): Snapshot {
  const columns = startColumns(inbounds.reduce((sum, { clientStats }) => sum + (clientStats?.length ?? 0), 0));
  const folded = inbounds.map((inbound): SnapshotInbound => {
    const { id, tag, up, down, lastTrafficResetTime: resetAtMs, originNodeGuid, clientStats } = inbound;
    const reported = configurationOf(inbound);
    const stamp = hash('sha1', JSON.stringify(reported));
    const clients: number[] = [];
    for (const row of clientStats ?? []) {
      const counter = toCounter(row);
      if (counter !== null) clients.push(columns.add(counter));
    }
    const shown = { id, tag, up, down, resetAtMs, originNodeGuid, clients: Uint32Array.from(clients), stamp };
    return { ...shown, reported: stamps.get(tag) === stamp ? null : reported };
  });
  return { inbounds: folded, counters: columns.end() };
}

/** Columns with room for this many clients. */
function startColumns(most: number) {
  const places = new Map<string, number>();
  const columns = columnsBy(() => new Float64Array(most));
  const { up, down, isEnabled, expiresAtMs, lastOnlineAtMs, lifetimeUp, lifetimeDown } = columns;
  return {
    /** @returns the client's index */
    add(counter: Counter): number {
      const emailKey = foldText(counter.email);
      const known = places.get(emailKey);
      const at = known ?? places.size;
      if (known === undefined) places.set(emailKey, at);
      up[at] = Math.max(counter.up, up[at]!);
      down[at] = Math.max(counter.down, down[at]!);
      isEnabled[at] = counter.isEnabled && (known === undefined || isEnabled[at] === 1) ? 1 : 0;
      expiresAtMs[at] = known === undefined ? counter.expiresAtMs : Math.max(counter.expiresAtMs, expiresAtMs[at]!);
      lastOnlineAtMs[at] = Math.max(counter.lastOnlineAtMs, lastOnlineAtMs[at]!);
      lifetimeUp[at] = known === undefined ? counter.lifetimeUp : Math.max(counter.lifetimeUp, lifetimeUp[at]!);
      lifetimeDown[at] = known === undefined ? counter.lifetimeDown : Math.max(counter.lifetimeDown, lifetimeDown[at]!);
      return at;
    },
    end: (): RemoteCounters => ({
      emailKeys: [...places.keys()],
      ...columnsBy((name) => columns[name].slice(0, places.size)),
    }),
  };
}

/** Counters that differ from an earlier response. */
export function otherCounters(before: RemoteCounters, now: RemoteCounters): RemoteCounters {
  const places: number[] = [];
  for (let at = 0; at < now.emailKeys.length; at++) {
    // A panel lists its clients in a stable order; with another order all count as changed.
    const isSame =
      now.emailKeys[at] === before.emailKeys[at] && COLUMNS.every((name) => now[name][at] === before[name][at]);
    if (!isSame) places.push(at);
  }
  return {
    emailKeys: places.map((at) => now.emailKeys[at]!),
    ...columnsBy((name) => Float64Array.from(places, (at) => now[name][at]!)),
  };
}

/** Whether two responses name the same clients in the same order, with the same deadlines. */
export function areSameClients(before: RemoteCounters, now: RemoteCounters): boolean {
  const isSame = (key: string, at: number): boolean =>
    key === before.emailKeys[at] && now.expiresAtMs[at] === before.expiresAtMs[at];
  return now.emailKeys.length === before.emailKeys.length && now.emailKeys.every(isSame);
}

/**
 * The later of two responses, to keep until the next one. If both name the same clients it reuses the memory of the
 * earlier one: otherwise short-lived copies for every node would dominate garbage collection.
 */
export function keepLater(before: RemoteCounters, now: RemoteCounters): RemoteCounters {
  const isSame = (key: string, at: number): boolean => key === before.emailKeys[at];
  if (now.emailKeys.length !== before.emailKeys.length || !now.emailKeys.every(isSame)) return now;
  for (const name of COLUMNS) before[name].set(now[name]);
  return before;
}

/** Current counters by folded e-mail; built on first use, since most polls deliver nothing. */
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
