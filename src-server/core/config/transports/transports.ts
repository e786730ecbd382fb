import type { JsonObject } from '../source.ts';
import { isBlank, textOf } from '../json-access.ts';
import { grpc } from './grpc.ts';
import { httpupgrade } from './httpupgrade.ts';
import { hysteriaTransport } from './hysteria-transport.ts';
import { kcp } from './kcp.ts';
import { raw } from './raw.ts';
import type { Transport, TransportName } from './transport.ts';
import { ws } from './ws.ts';
import { xhttp } from './xhttp.ts';

/** Adding a transport adds a file and one entry. */
export const TRANSPORTS: Readonly<Record<TransportName, Transport>> = {
  tcp: raw,
  kcp,
  ws,
  grpc,
  httpupgrade,
  xhttp,
  hysteria: hysteriaTransport,
};

const BY_SPELLING = new Map(
  Object.values(TRANSPORTS).flatMap((transport) =>
    [transport.name, ...transport.aliases].map((spelling) => [spelling, transport] as const),
  ),
);

/** Every name a transport's settings block may have. */
export const TRANSPORT_BLOCKS: readonly string[] = Object.values(TRANSPORTS).flatMap((transport) => transport.blocks);

/**
 * The transport of a stream: `method` before `network`; absent means raw TCP. Null when the core knows no such name.
 */
export function transportOf(stream: JsonObject | null): Transport | null {
  const name = networkName(stream);
  return name === '' ? raw : (BY_SPELLING.get(name.toLowerCase()) ?? null);
}

/** The spelling that takes effect; empty = absent. */
export function networkName(stream: JsonObject | null): string {
  return textOf(stream?.['method']) || textOf(stream?.['network']);
}

/** The settings block that takes effect, under whichever name it is stored; null when there is none. */
export function blockOf(stream: JsonObject, transport: Transport): { name: string; value: JsonObject[string] } | null {
  const order = [transport.winner, ...transport.blocks];
  const name = order.find((candidate) => stream[candidate] !== undefined && stream[candidate] !== null);
  const value = name === undefined ? undefined : stream[name];
  return name === undefined || value === undefined || (isBlank(value) && Array.isArray(value)) ? null : { name, value };
}
