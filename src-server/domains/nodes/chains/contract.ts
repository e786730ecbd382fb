import * as z from 'zod';
import { endpoint } from '../../../contract/endpoint.ts';
import { Scheme } from '../contract.ts';

/** A panel that the answering one manages. */
export const Descendant = z.object({
  guid: z.string(),
  /** GUID of the answering panel. */
  parentGuid: z.string(),
  name: z.string(),
  address: z.string(),
  scheme: Scheme,
  port: z.int(),
  status: z.enum(['unknown', 'online', 'offline']),
  /** Unix seconds. */
  lastHeartbeat: z.int(),
  latencyMs: z.int(),
  panelVersion: z.string(),
  coreVersion: z.string(),
  coreState: z.string(),
  coreError: z.string(),
});
export type Descendant = z.infer<typeof Descendant>;

export const descendants = endpoint({
  method: 'GET',
  path: '/panel/api/server/descendants',
  summary: 'The panels that this one manages, for a panel that manages this one',
  result: z.array(Descendant),
});
