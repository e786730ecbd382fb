import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getHistories } from '#contract/metrics';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { useLiveStatus } from '../../stores/live-status.ts';
import { joined, MEASURES, SEED_BUCKETS } from '../../stores/point-ring.ts';

/** Fills the ring with the server's history, once; from then on the live stream fills it. */
export function useMachineHistory(): void {
  const call = useCall();
  const { data } = useQuery({
    queryKey: [...keys.history, 'machine'],
    queryFn: async ({ signal }) => {
      const query = { metrics: MEASURES.join(',') };
      const of = (bucket: number) => call(getHistories, { params: { bucket: String(bucket) }, query }, signal);
      return joined(await Promise.all(SEED_BUCKETS.map(of)));
    },
    staleTime: Infinity,
  });
  useEffect(() => {
    if (data !== undefined) useLiveStatus.getState().seed(data);
  }, [data]);
}
