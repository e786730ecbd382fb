import { useQuery } from '@tanstack/react-query';
import { listHosts, type Host } from '#contract/hosts';
import { listInboundOptions, type InboundOption } from '#contract/inbounds';
import { takesClients } from '../clients/use-inbound-options.ts';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';

export interface HostsData {
  hosts: readonly Host[];
  /** Inbounds that can have hosts. */
  inbounds: readonly InboundOption[];
}

/** Query key of the page's list. */
export const HOSTS_PAGE = [...keys.hosts, 'page'] as const;

/** All hosts, with the inbounds they belong to. */
export function useHosts() {
  const call = useCall();
  return useQuery({
    queryKey: HOSTS_PAGE,
    queryFn: async ({ signal }): Promise<HostsData> => {
      const [hosts, options] = await Promise.all([call(listHosts, {}, signal), call(listInboundOptions, {}, signal)]);
      const used = new Set(hosts.map(({ inboundId }) => inboundId));
      // A host changes links, so an inbound without clients has no use for one.
      return { hosts, inbounds: options.filter(({ id, protocol }) => takesClients({ protocol }) || used.has(id)) };
    },
  });
}

export const inboundName = ({ remark, tag, port }: InboundOption): string => `${remark || tag} · ${port}`;
