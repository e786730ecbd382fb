import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

const Links = z.array(z.string());

export const linksOfClient = endpoint({
  method: 'GET',
  path: '/panel/api/clients/links/:email',
  summary: 'Share links of a client at all its inbounds, by inbound and host, then its external links.',
  params: z.object({ email: z.string().max(1024) }),
  result: Links,
});

export const linksOfSubscription = endpoint({
  method: 'GET',
  path: '/panel/api/clients/subLinks/:subId',
  summary: 'Share links of every enabled client of a subscription; empty when there is none.',
  params: z.object({ subId: z.string().max(1024) }),
  result: Links,
});

export const allLinks = endpoint({
  method: 'GET',
  path: '/panel/api/inbounds/allLinks',
  summary: 'Share links of every client at every enabled inbound.',
  result: Links,
});

/** An entry that a format leaves out because its apps could not use it. */
export const LeftOut = z.object({
  format: z.enum(['raw', 'json', 'yaml']),
  /** 0 = one of the client's external links. */
  inboundId: z.int(),
  /** Name of the entry. */
  remark: z.string(),
  email: z.string(),
  reason: z.string(),
});
export type LeftOut = z.infer<typeof LeftOut>;

export const leftOutOfSubscription = endpoint({
  method: 'GET',
  path: '/panel/api/clients/leftOut/:email',
  summary: "What the formats leave out of a client's subscription, and why.",
  params: z.object({ email: z.string().max(1024) }),
  result: z.array(LeftOut),
});
