import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

/** A core that serves beside the active panel. */
export const CoreReport = z.object({
  /** `running`; `stop`: not started; `error`: it cannot run. */
  state: z.enum(['running', 'stop', 'error']),
  /** Why the state is `error`; empty while it runs. */
  errorMsg: z.string(),
  /** What is stored but cannot run there, with the reason. */
  leftOut: z.array(
    z.object({
      /** What kind of thing it is: inbound, client, fallback, mask, outbound or rule. */
      kind: z.string(),
      /** Its tag, or how else it is called. */
      name: z.string(),
      /** Why it does not run, in English. */
      reason: z.string(),
    }),
  ),
});
export type CoreReport = z.infer<typeof CoreReport>;

export const PanelServer = z.object({
  /** Id of the data folder, as `serverId` of an inbound names it. */
  id: z.string(),
  /** Name of the machine. */
  name: z.string(),
  /** Where its web interface is reached; empty = not known. */
  address: z.string(),
  /** `active`: it makes changes; `standby`: it stands by; `away`: it is not connected to the database, and serves nothing. */
  state: z.enum(['active', 'standby', 'away']),
  /** Whether it gives this answer. */
  isHere: z.boolean(),
  /** When it was connected last, to the minute, in ms since 1970, 0 = not known. */
  lastSeen: z.int(),
  /** How many inbounds name it. */
  inboundCount: z.int(),
  /** Its core, while it stands by and serves; null = it runs none, or is active: `server/status` tells of that one. */
  core: CoreReport.nullable(),
});
export type PanelServer = z.infer<typeof PanelServer>;

export const listServers = endpoint('GET', '/panel/api/servers/list', {
  summary: 'The servers whose panels share this database, by name; none where the database is a file.',
  result: z.array(PanelServer),
});
