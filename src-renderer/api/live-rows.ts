import { notifyManager, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type * as z from 'zod';
import type { ClientTrafficRow, getClient } from '#contract/clients';
import type { ClientPage } from '#contract/clients/list';
import type { OutboundTraffic } from '#contract/coreSettings';
import { keys } from './keys.ts';

/** A row of the `client_stats` message: absolute figures of a client that moved bytes. */
interface LiveClient {
  email: string;
  enable: boolean;
  up: number;
  down: number;
  lastOnline: number;
}

/** Inbounds of the same message. */
interface LiveInbound {
  id: number;
  enable: boolean;
  up: number;
  down: number;
}

export interface ClientStats {
  clients?: readonly LiveClient[];
  inbounds?: readonly LiveInbound[];
}

type WholeClient = z.output<(typeof getClient)['result']>;

/** Writes moved counters into what is cached of clients and inbounds, lists and single ones; rows keep their order. */
export function patchCounters(cache: QueryClient, { clients = [], inbounds = [] }: ClientStats): void {
  if (clients.length > 0) {
    const moved = new Map(clients.map((row) => [row.email, row]));
    patch<ClientPage>(cache, [...keys.clients, 'page'], (page) => {
      if (!page.items.some(({ email }) => moved.has(email))) return page;
      const items = page.items.map((item) => {
        const row = moved.get(item.email);
        if (row === undefined) return item;
        return { ...item, enable: row.enable, traffic: { up: row.up, down: row.down, enable: row.enable } };
      });
      return { ...page, items };
    });
    patch<WholeClient>(cache, [...keys.clients, 'one'], (whole) => {
      const row = moved.get(whole.client.email);
      return row === undefined ? whole : { ...whole, usedTraffic: row.up + row.down };
    });
    patch<ClientTrafficRow | null>(cache, [...keys.clients, 'traffic'], (counters) => {
      const row = counters === null ? undefined : moved.get(counters.email);
      if (counters === null || row === undefined) return counters;
      return { ...counters, enable: row.enable, up: row.up, down: row.down, lastOnline: row.lastOnline };
    });
  }
  if (inbounds.length > 0) {
    const moved = new Map(inbounds.map((row) => [row.id, row]));
    patch<unknown>(cache, keys.inbounds, (list) =>
      isCounted(list) && list.some(({ id }) => moved.has(id))
        ? list.map((item) => ({ ...item, ...moved.get(item.id) }))
        : list,
    );
    patch<LiveInbound>(cache, [...keys.inbounds, 'one'], (inbound) => {
      const row = moved.get(inbound.id);
      return row === undefined ? inbound : { ...inbound, ...row };
    });
  }
}

/** Writes the counters of outbounds that moved into those of all. */
export function patchOutbounds(cache: QueryClient, moved: readonly OutboundTraffic[]): void {
  const tags = new Set(moved.map(({ tag }) => tag));
  patch<readonly OutboundTraffic[]>(cache, [...keys.outbounds, 'traffic'], (all) => [
    ...all.filter(({ tag }) => !tags.has(tag)),
    ...moved,
  ]);
}

/** Bytes of the last five seconds of an inbound on a node. */
export interface NodeTraffic {
  tag: string;
  up: number;
  down: number;
}

export interface LiveTraffic {
  onlineClients: readonly string[];
  /** Null = nothing new. */
  nodeTraffics?: readonly NodeTraffic[] | null;
}

/** Cache key of the speeds of inbounds on nodes. */
export const NODE_SPEEDS = [...keys.nodes, 'speeds'] as const;

/** Writes who is online into the cached pages of clients, and the speeds of inbounds on nodes. */
export function patchTraffic(cache: QueryClient, { onlineClients, nodeTraffics = null }: LiveTraffic): void {
  if (nodeTraffics !== null) cache.setQueryData(NODE_SPEEDS, nodeTraffics);
  patch<ClientPage>(cache, [...keys.clients, 'page'], (page) => {
    if (isSameSet(page.summary.online, onlineClients)) return page;
    return { ...page, summary: { ...page.summary, online: [...onlineClients], onlineCount: onlineClients.length } };
  });
}

/**
 * Changes what is cached under a key. Its age stays, and that it has to be read again: a message knows only a part of
 * it. What `setQueryData` writes counts as just read.
 */
function patch<T>(cache: QueryClient, queryKey: QueryKey, change: (data: T) => T): void {
  notifyManager.batch(() => {
    for (const query of cache.getQueryCache().findAll({ queryKey })) {
      const before = query.state.data as T | undefined;
      if (before === undefined) continue;
      const data = change(before);
      if (data !== before) query.setState({ data });
    }
  });
}

/** Lists of inbounds that show counters; others under the same key are names for a form. */
function isCounted(list: unknown): list is LiveInbound[] {
  return Array.isArray(list) && list.every((item) => typeof item === 'object' && item !== null && 'up' in item);
}

function isSameSet(before: readonly string[], now: readonly string[]): boolean {
  if (before.length !== now.length) return false;
  const known = new Set(before);
  return now.every((email) => known.has(email));
}
