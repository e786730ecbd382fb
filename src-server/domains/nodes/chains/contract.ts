import * as z from 'zod';
import { endpoint } from '../../../contract/endpoint.ts';
import { Scheme } from '../contract.ts';

/** A panel that the answering one manages. */
export const Descendant = z.object({
  guid: z.string(),
  /** GUID of the answering panel. */
  parentGuid: z.string(),
  /** Name of that panel on the answering one. */
  name: z.string(),
  /** Host name or address of that panel. */
  address: z.string(),
  /** Whether it is spoken to over TLS. */
  scheme: Scheme,
  port: z.int(),
  /** unknown until the first probe, then online or offline. */
  status: z.enum(['unknown', 'online', 'offline']),
  /** When it was last probed, in seconds since 1970, 0 = never. */
  lastHeartbeat: z.int(),
  latencyMs: z.int(),
  panelVersion: z.string(),
  coreVersion: z.string(),
  /** State of its core: running, stop or error; empty = not known. */
  coreState: z.string(),
  coreError: z.string(),
});
export type Descendant = z.infer<typeof Descendant>;

export const descendants = endpoint('GET', '/panel/api/server/descendants', {
  summary: 'The panels that this one manages, for a panel that manages this one.',
  result: z.array(Descendant),
});
