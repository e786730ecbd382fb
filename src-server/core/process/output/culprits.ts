import type { JsonObject, LeftOut } from '../../config/source.ts';
import { objectOf, objectsOf, textOf } from '../../apply/compare/inbound-parts.ts';
import type { CheckConfig } from '../config-check.ts';
import { coversPort, isAnyAddress } from '../../config/inbound/listen-address.ts';
import { transportsOf } from '../../config/inbound/inbound-traits.ts';
import { culpritOf, type Listener } from './core-text.ts';
import { freePort, isFree } from '../free-port.ts';

const ROUNDS = 50;

/** The part of a config that the core accepts. `reason` is empty, or why even that part is refused. */
export interface Reduced {
  config: JsonObject;
  leftOut: LeftOut[];
  reason: string;
}

/**
 * Finds the inbounds and outbounds that make the core refuse a config, and leaves out exactly those: by the tag the
 * core names, else by testing them in halves.
 * @param reason what the core said about `config`
 * @param rounds how many to try before giving up; each takes one test or more
 */
export async function withoutCulprits(
  config: JsonObject,
  reason: string,
  check: CheckConfig,
  rounds = ROUNDS,
): Promise<Reduced> {
  const state: Reduced = { config, leftOut: [], reason };
  for (let round = 0; round < rounds && state.reason !== ''; round += 1) {
    const named = culpritOf(state.reason);
    if (named && drop(state, named.kind, named.tag, state.reason)) {
      state.reason = await check(state.config);
      continue;
    }
    const before = state.leftOut.length;
    await dropBad(state, 'inbound', check);
    if (state.leftOut.length === before) await dropBad(state, 'outbound', check);
    // Neither: the fault is in the template's other sections, which the panel may not leave out by itself.
    if (state.leftOut.length === before) return state;
    state.reason = await check(state.config);
  }
  return state;
}

/** Tests each half alone and continues inside the bad ones. */
async function dropBad(state: Reduced, kind: 'inbound' | 'outbound', check: CheckConfig): Promise<void> {
  const listKey = kind === 'inbound' ? 'inbounds' : 'outbounds';
  const search = async (items: JsonObject[]): Promise<void> => {
    if (items.length === 0) return;
    const outbounds = kind === 'inbound' ? [{ protocol: 'freedom' }] : [];
    const reason = await check({ log: { loglevel: 'none' }, outbounds, [listKey]: items });
    if (reason === '') return;
    const [only, ...others] = items;
    if (only && others.length === 0) {
      drop(state, kind, textOf(only.tag), reason);
      return;
    }
    const middle = items.length >> 1;
    await search(items.slice(0, middle));
    await search(items.slice(middle));
  };
  await search(objectsOf(state.config[listKey]));
}

/** False when the config has no such tag. */
function drop(state: Reduced, kind: 'inbound' | 'outbound', tag: string, reason: string): boolean {
  const listKey = kind === 'inbound' ? 'inbounds' : 'outbounds';
  const list = objectsOf(state.config[listKey]);
  const at = list.findIndex((item) => textOf(item.tag) === tag);
  if (at < 0 || isStandIn(list[at] as JsonObject, kind)) return false;
  // The first outbound is the default route. Without it the next one would silently take all that traffic, perhaps
  // directly.
  const standIn = kind === 'outbound' && at === 0 ? [{ tag, protocol: 'blackhole', settings: {} }] : [];
  state.config = { ...state.config, [listKey]: [...list.slice(0, at), ...standIn, ...list.slice(at + 1)] };
  state.leftOut.push({ kind, name: tag, reason });
  return true;
}

function isStandIn(item: JsonObject, kind: 'inbound' | 'outbound'): boolean {
  return kind === 'outbound' && item.protocol === 'blackhole' && Object.keys(item).length === 3;
}

/**
 * Leaves out one inbound that listens there; null when none does. The same port may be in use on another address and in
 * the other network.
 */
export function withoutListener(
  config: JsonObject,
  listener: Listener,
  reason: string,
): { config: JsonObject; left: LeftOut } | null {
  const list = objectsOf(config.inbounds);
  const onPort = (inbound: JsonObject): boolean => !('listen' in listener) && coversPort(inbound.port, listener.port);
  const exact = list.findIndex((inbound) =>
    'listen' in listener ? inbound.listen === listener.listen : onPort(inbound) && isAt(inbound, listener),
  );
  const at = exact < 0 ? list.findIndex(onPort) : exact;
  if (at < 0) return null;
  return {
    config: { ...config, inbounds: [...list.slice(0, at), ...list.slice(at + 1)] },
    left: { kind: 'inbound', name: textOf(list[at]?.tag), reason },
  };
}

/**
 * Moves a metrics listener from a taken port to a free one on its host: the panel's own charts are no reason to keep
 * the core down, and two panels on one machine share the template's default. Null when there is nothing to move.
 */
export async function withMetricsOnFreePort(
  config: JsonObject,
): Promise<{ config: JsonObject; wanted: JsonObject; listen: string } | null> {
  const metrics = objectOf(config.metrics);
  const [, host, port] = /^(127\..+):(\d+)$/.exec(textOf(metrics.listen)) ?? [];
  if (host === undefined || (await isFree(host, Number(port)))) return null;
  const listen = `${host}:${await freePort()}`;
  return { config: { ...config, metrics: { ...metrics, listen } }, wanted: metrics, listen };
}

/** Whether an inbound uses this network and address. */
function isAt(inbound: JsonObject, { network, host }: { network: string; host: string }): boolean {
  const { listen, protocol, settings, streamSettings } = inbound;
  const shape = { protocol: textOf(protocol), settings: objectOf(settings), streamSettings: objectOf(streamSettings) };
  if (!transportsOf(shape).some((transport) => transport === network)) return false;
  const address = textOf(listen);
  return isAnyAddress(host) ? isAnyAddress(address) : bare(address) === bare(host);
}

const bare = (address: string): string => address.replace(/^\[(.*)\]$/, '$1').toLowerCase();
