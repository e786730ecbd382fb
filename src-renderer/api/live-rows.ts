import type { QueryClient } from '@tanstack/react-query';
import type { ClientPage } from '#contract/clients/list';
import { keys } from './keys.ts';

/** A row of the `client_stats` message: absolute figures of a client that moved bytes. */
interface LiveClient {
  email: string;
  enable: boolean;
  up: number;
  down: number;
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

/** Writes moved counters into the cached pages of clients and lists of inbounds; rows keep their order. */
export function patchCounters(cache: QueryClient, { clients = [], inbounds = [] }: ClientStats): void {
  if (clients.length > 0) {
    const moved = new Map(clients.map((row) => [row.email, row]));
    cache.setQueriesData<ClientPage>({ queryKey: [...keys.clients, 'page'] }, (page) => {
      if (page === undefined || !page.items.some(({ email }) => moved.has(email))) return page;
      const items = page.items.map((item) => {
        const row = moved.get(item.email);
        if (row === undefined) return item;
        return { ...item, enable: row.enable, traffic: { up: row.up, down: row.down, enable: row.enable } };
      });
      return { ...page, items };
    });
  }
  if (inbounds.length > 0) {
    const moved = new Map(inbounds.map((row) => [row.id, row]));
    cache.setQueriesData<unknown>({ queryKey: keys.inbounds }, (list: unknown) =>
      isCounted(list) && list.some(({ id }) => moved.has(id))
        ? list.map((item) => ({ ...item, ...moved.get(item.id) }))
        : list,
    );
  }
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
  cache.setQueriesData<ClientPage>({ queryKey: [...keys.clients, 'page'] }, (page) => {
    if (page === undefined || isSameSet(page.summary.online, onlineClients)) return page;
    return { ...page, summary: { ...page.summary, online: [...onlineClients], onlineCount: onlineClients.length } };
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
