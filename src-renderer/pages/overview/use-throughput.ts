import { useQuery } from '@tanstack/react-query';
import { getHistory } from '#contract/metrics';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { useLiveStatus } from '../../stores/live-status.ts';
import { historyData, liveData, type ChartData } from './chart-data.ts';

/** What the chart can show: live readings of ten minutes, or a history of 60 buckets of so many seconds. */
export const SPANS = { live: 0, hour: 60, hours: 300 } as const;
export type Span = keyof typeof SPANS;

/** Seconds on the time axis. */
export const windowSec = (span: Span): number => (span === 'live' ? 600 : SPANS[span] * 60);

/** Bytes per second of the machine over a span; the live one starts with what the server remembers. */
export function useThroughput(span: Span): ChartData {
  const call = useCall();
  const readings = useLiveStatus((state) => state.readings);
  const bucketSec = SPANS[span] || 2;
  const history = useQuery({
    queryKey: [...keys.history, 'throughput', bucketSec],
    queryFn: async ({ signal }) => {
      const of = (metric: string) => call(getHistory, { params: { metric, bucket: String(bucketSec) } }, signal);
      const [up, down] = await Promise.all([of('netUp'), of('netDown')]);
      return historyData(up, down, bucketSec);
    },
    refetchInterval: span === 'live' ? false : bucketSec * 1000,
    staleTime: span === 'live' ? Infinity : 0,
  });
  const remembered: ChartData = history.data ?? [[], [], []];
  if (span !== 'live') return remembered;
  const live = liveData(readings);
  const firstSec = live[0][0] ?? Infinity;
  const older = remembered[0].filter((at) => at < firstSec).length;
  return [
    [...remembered[0].slice(0, older), ...live[0]],
    [...remembered[1].slice(0, older), ...live[1]],
    [...remembered[2].slice(0, older), ...live[2]],
  ];
}
