import * as z from 'zod';
import { endpoint } from '../../../contract/endpoint.ts';
import { Node } from '../contract.ts';

/** A panel managed by the responding one. */
export const Descendant = Node.pick({
  guid: true,
  name: true,
  address: true,
  scheme: true,
  port: true,
  status: true,
  lastHeartbeat: true,
  latencyMs: true,
  panelVersion: true,
  coreVersion: true,
  coreState: true,
  coreError: true,
}).extend({
  /** GUID of the responding panel. */
  parentGuid: z.string(),
});
export type Descendant = z.infer<typeof Descendant>;

export const descendants = endpoint('GET', '/panel/api/server/descendants', {
  summary: 'The panels that this one manages, for a panel that manages this one.',
  result: z.array(Descendant),
});
