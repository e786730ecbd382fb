import { listJobs, type Job } from '#contract/jobs';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';

/** The newest job of a kind, running or ended, updated by the live stream. It survives a reload. */
export function useNewestJob(kind: string): Job | undefined {
  const { data } = useRead(listJobs, {}, keys.jobs);
  return data?.find((job) => job.kind === kind);
}
