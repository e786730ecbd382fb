import * as z from 'zod';
import { transportsOf, type InboundTransport } from '../../../src-server/contract/inbound-transports.ts';
import type { JsonObject } from '../../../src-server/contract/json.ts';
import { doListensOverlap, isSocketPath } from '../../../src-server/core/config/inbound/listen-address.ts';

/** A section of an inbound; older panels store it as text. */
export const Section = z.preprocess((value) => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return null;
  }
}, z.record(z.string(), z.unknown()).nullable().catch(null));
type Section = z.output<typeof Section>;

/** Where an inbound listens. */
export interface InboundPlace {
  listen: string;
  port: number;
  transports: readonly InboundTransport[];
}

/** Which kinds of port an inbound uses. */
export const transportsIn = (protocol: string, settings: Section, streamSettings: Section): InboundTransport[] =>
  transportsOf({
    protocol,
    settings: (settings ?? {}) as JsonObject,
    streamSettings: streamSettings as JsonObject | null,
  });

/** An inbound of a panel, without its clients. */
export const PlacedInbound = z
  .object({
    id: z.int(),
    port: z.int(),
    listen: z.string().catch(''),
    protocol: z.string(),
    remark: z.string().catch(''),
    tag: z.string().catch(''),
    nodeId: z.number().nullish().catch(null),
    settings: Section,
    streamSettings: Section,
  })
  .transform(({ settings, streamSettings, ...place }) => ({
    ...place,
    transports: transportsIn(place.protocol, settings, streamSettings),
  }));
export type PlacedInbound = z.output<typeof PlacedInbound>;

/** Inbounds of nodes listen on other machines. */
export const isOnNode = ({ nodeId }: PlacedInbound): boolean => nodeId !== null && nodeId !== undefined && nodeId !== 0;

/** Whether two inbounds of one machine cannot listen together: one may have 443/tcp, the other 443/udp. */
export function collide(one: InboundPlace, other: InboundPlace): boolean {
  if (!one.transports.some((transport) => other.transports.includes(transport))) return false;
  // An old `tun` has no port.
  if (one.port === 0 && !isSocketPath(one.listen)) return false;
  return doListensOverlap(one, other);
}
