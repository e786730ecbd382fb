import { useQuery } from '@tanstack/react-query';
import { listServers, type PanelServer } from '#contract/servers';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';

/** How often servers are asked for where there are several; their states come by no event. */
const AGAIN_MS = 10_000;

/** The servers whose panels share this panel's database, by id; empty where the database is a file. */
export function useServers(): ReadonlyMap<string, PanelServer> {
  const call = useCall();
  const { data = [] } = useQuery({
    queryKey: [...keys.servers, 'list'],
    queryFn: ({ signal }) => call(listServers, {}, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.length > 1 ? AGAIN_MS : false),
  });
  return new Map(data.map((server) => [server.id, server]));
}
