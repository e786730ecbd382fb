import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { JobVerbs, JobView } from '../../../../src-main/bridge/jobs.ts';
import { requireDesktop } from '../../../api/desktop.ts';

const LOOK_AGAIN_MS = 400;

type Viewed = {
  [V in keyof JobVerbs]: JobVerbs[V] extends (id: string) => Promise<JobView<infer _R>> ? V : never;
}[keyof JobVerbs];

type Viewing<V extends Viewed> = Awaited<ReturnType<JobVerbs[V]>> & JobView<unknown>;

/** A job that runs beside the page, polled until it has ended. */
export function useJob<V extends Viewed>(verb: V, id: string | null): UseQueryResult<Viewing<V>> {
  return useQuery({
    queryKey: ['works', verb, id],
    queryFn: async () => (await requireDesktop().jobs[verb](id ?? '')) as Viewing<V>,
    enabled: id !== null,
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state: { data } }) => (data === undefined || isOver(data) ? false : LOOK_AGAIN_MS),
  });
}

export const isOver = ({ state }: Pick<JobView<unknown>, 'state'>): boolean =>
  state !== 'running' && state !== 'undoing';
