import { listServers, type PanelServer } from '#contract/servers';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';

/** Polling interval for several servers; their states come without events. */
const AGAIN_MS = 10_000;
const NONE: ReadonlyMap<string, PanelServer> = new Map();

const byId = (servers: readonly PanelServer[]): ReadonlyMap<string, PanelServer> =>
  new Map(servers.map((server) => [server.id, server]));

/** The servers whose panels share this panel's database, by id; empty where the database is a file. */
export function useServers(): ReadonlyMap<string, PanelServer> {
  const { data = NONE } = useRead(listServers, {}, [...keys.servers, 'list'], {
    select: byId,
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.length > 1 ? AGAIN_MS : false),
  });
  return data;
}
