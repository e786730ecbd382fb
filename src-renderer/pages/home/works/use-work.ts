import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { WorkVerbs, WorkView } from '../../../../src-main/bridge/works.ts';
import { requireDesktop } from '../../../api/desktop.ts';

const LOOK_AGAIN_MS = 400;

type Viewed = {
  [V in keyof WorkVerbs]: WorkVerbs[V] extends (id: string) => Promise<WorkView<infer _R>> ? V : never;
}[keyof WorkVerbs];

type Viewing<V extends Viewed> = Awaited<ReturnType<WorkVerbs[V]>> & WorkView<unknown>;

/** Work that goes on beside the page, looked at until it has ended. */
export function useWork<V extends Viewed>(verb: V, id: string | null): UseQueryResult<Viewing<V>> {
  return useQuery({
    queryKey: ['works', verb, id],
    queryFn: async () => (await requireDesktop().works[verb](id ?? '')) as Viewing<V>,
    enabled: id !== null,
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state: { data } }) => (data === undefined || isOver(data) ? false : LOOK_AGAIN_MS),
  });
}

export const isOver = ({ state }: Pick<WorkView<unknown>, 'state'>): boolean =>
  state !== 'running' && state !== 'undoing';
