import { DomainError } from '../../contract/domain-error.ts';
import type { JobService } from '../jobs/service.ts';

/** Told before each piece of bulk work how many items are done; throws when the work is to stop. */
export type Watch = (done: number) => void;

export const unwatched: Watch = () => {};

/** Work on fewer items is over before anybody could look at it. */
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
        const { created, adjusted, changed, deleted, affected } = (await outcome) as Partial<Record<string, number>>;
        return { total, done: created ?? adjusted ?? changed ?? deleted ?? affected ?? total };
      },
    });
  });
}
