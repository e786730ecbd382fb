import { listCertificates } from '#contract/certificates';
import { listJobs, type Job } from '#contract/jobs';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';

/** The panel's certificates, and the programs for DNS challenges. */
export function useCertificates() {
  return useRead(listCertificates, {}, [...keys.settings, 'certificates']);
}

/** A job by its id, from the live stream; undefined when there is none. */
export function useJob(id: string): Job | undefined {
  const { data } = useRead(listJobs, {}, keys.jobs, { enabled: id !== '' });
  return data?.find((job) => job.id === id);
}
