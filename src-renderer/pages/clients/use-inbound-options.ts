import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { listInboundOptions, type InboundOption } from '#contract/inbounds';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';

/** Inbounds as a form offers them. */
export function useInboundOptions(): UseQueryResult<InboundOption[]> {
  const call = useCall();
  return useQuery({
    queryKey: [...keys.inbounds, 'options'],
    queryFn: ({ signal }) => call(listInboundOptions, {}, signal),
  });
}

/** "Office · 443": what a list of inbounds shows of one. */
export const inboundLabel = ({ remark, tag, port }: InboundOption): string => `${remark || tag} · ${port}`;
