import { useQuery } from '@tanstack/react-query';
import { listJobs, type Job } from '#contract/jobs';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';

/** The newest job of a kind, running or ended; the live stream keeps it fresh. It is found again after a reload. */
export function useNewestJob(kind: string): Job | undefined {
  const call = useCall();
  const { data } = useQuery({ queryKey: keys.jobs, queryFn: ({ signal }) => call(listJobs, {}, signal) });
  return data?.find((job) => job.kind === kind);
}
