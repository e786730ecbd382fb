import { DomainError } from '../../../contract/domain-error.ts';
import type { JobService } from '../../jobs/service.ts';

/** Called before each piece of bulk work with the number of items done; throws to stop the work. */
export type Watch = (done: number) => void;

export const unwatched: Watch = () => {};

/** Work on fewer items finishes before anyone could look at it. */
const JOB_FROM = 1_000;

export interface BulkCall<T> {
  kind: string;
  title: string;
  /** Number of items. */
  total: number;
  work: (watch: Watch) => Promise<T>;
}

/**
 * Runs bulk work; many items as a job whose progress can be followed and which can be cancelled. It is one transaction:
 * cancelled work changes nothing.
 * @throws {DomainError} `client.workCancelled`, and errors of the work
 */
export function runBulk<T>(jobs: Pick<JobService, 'start'>, { kind, title, total, work }: BulkCall<T>): Promise<T> {
  if (total < JOB_FROM) return work(unwatched);
  return new Promise((resolve, reject) => {
    jobs.start({
      kind,
      title,
      async run({ signal, report }) {
        const result = work((done) => {
          if (signal.aborted) throw new DomainError('client.workCancelled');
          report({ done, total: Math.max(done, total) });
        });
        result.then(resolve, reject);
        const counts = Object(await result) as Counts;
        // The number of items in an import is known only after reading it.
        const handled = counts.created === undefined ? total : counts.created + (counts.skipped?.length ?? 0);
        report({ done: handled, total: handled });
        return { total: handled, done: changedBy(counts) ?? handled };
      },
    });
  });
}

/** Possible results of a bulk verb; null when there is nothing to report. */
interface Counts {
  created?: number;
  adjusted?: number;
  changed?: number;
  deleted?: number;
  affected?: number;
  skipped?: readonly unknown[];
}

const changedBy = ({ created, adjusted, changed, deleted, affected }: Counts): number | undefined =>
  created ?? adjusted ?? changed ?? deleted ?? affected;
