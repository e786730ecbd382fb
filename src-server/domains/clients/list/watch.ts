import { DomainError } from '../../../contract/domain-error.ts';
import type { JobService } from '../../jobs/service.ts';

/** Told before each piece of bulk work how many items are done; throws when the work is to stop. */
export type Watch = (done: number) => void;

export const unwatched: Watch = () => {};

/** Work on fewer items is over before it could be looked at. */
const JOB_FROM = 1_000;

export interface BulkCall<T> {
  kind: string;
  title: string;
  /** Number of items. */
  total: number;
  work: (watch: Watch) => Promise<T>;
}

/**
 * Runs bulk work; many items as a job, whose progress can be followed and which can be cancelled. All of it is one
 * transaction: cancelled work has changed nothing.
 * @throws {DomainError} `client.workCancelled`, and what the work throws
 */
export function runBulk<T>(jobs: Pick<JobService, 'start'>, { kind, title, total, work }: BulkCall<T>): Promise<T> {
  if (total < JOB_FROM) return work(unwatched);
  return new Promise((resolve, reject) => {
    jobs.start({
      kind,
      title,
      async run({ signal, report }) {
        const outcome = work((done) => {
          if (signal.aborted) throw new DomainError('client.workCancelled');
          report({ done, total: Math.max(done, total) });
        });
        outcome.then(resolve, reject);
        const counts = Object(await outcome) as Counts;
        // How many an import holds is known when it has been read.
        const handled = counts.created === undefined ? total : counts.created + (counts.skipped?.length ?? 0);
        report({ done: handled, total: handled });
        return { total: handled, done: changedBy(counts) ?? handled };
      },
    });
  });
}

/** What a bulk verb may answer; null in place of all of them when it has nothing to say. */
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
