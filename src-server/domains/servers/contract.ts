import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

/** A core that runs on a standby server. */
export const CoreReport = z.object({
  /** `running`; `stop`: not started; `error`: it cannot run. */
  state: z.enum(['running', 'stop', 'error']),
  /** Why the state is `error`; empty while it runs. */
  errorMsg: z.string(),
  /** Stored things that cannot run there, with the reason. */
  leftOut: z.array(
    z.object({
      /** Kind of the thing: inbound, client, fallback, mask, outbound or rule. */
      kind: z.string(),
      /** Its tag, or another name. */
      name: z.string(),
      /** Why it does not run, in English. */
      reason: z.string(),
    }),
  ),
});
export type CoreReport = z.infer<typeof CoreReport>;

export const PanelServer = z.object({
  /** Id of the server's data folder; `serverId` of an inbound refers to it. */
  id: z.string(),
  /** Name of the machine. */
  name: z.string(),
  /** Address of its web interface; empty = unknown. */
  address: z.string(),
  /**
   * `active`: it makes changes; `standby`: it waits to take over; `away`: it is not connected to the database, and
   * serves nothing.
   */
  state: z.enum(['active', 'standby', 'away']),
  /** Whether it is the server that sent this response. */
  isHere: z.boolean(),
  /** When it was last connected, to the minute, in ms since 1970; 0 = unknown. */
  lastSeen: z.int(),
  /** Number of inbounds assigned to it. */
  inboundCount: z.int(),
  /** Its core while on standby; null = it runs none, or it is active, in which case see `server/status`. */
  core: CoreReport.nullable(),
});
export type PanelServer = z.infer<typeof PanelServer>;

export const listServers = endpoint('GET', '/panel/api/servers/list', {
  summary: 'The servers whose panels share this database, by name; none where the database is a file.',
  result: z.array(PanelServer),
});
