import { useQuery } from '@tanstack/react-query';
import { listCertificates } from '#contract/certificates';
import { listJobs, type Job } from '#contract/jobs';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';

/** Certificates that the panel keeps, and the programs for DNS challenges. */
export function useCertificates() {
  const call = useCall();
  return useQuery({
    queryKey: [...keys.settings, 'certificates'],
    queryFn: ({ signal }) => call(listCertificates, {}, signal),
  });
}

/** A job by its id, as the live stream has it; undefined when there is none. */
export function useJob(id: string): Job | undefined {
  const call = useCall();
  const { data } = useQuery({
    queryKey: keys.jobs,
    queryFn: ({ signal }) => call(listJobs, {}, signal),
    enabled: id !== '',
  });
  return data?.find((job) => job.id === id);
}
