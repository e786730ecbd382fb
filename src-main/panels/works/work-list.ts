import { randomUUID } from 'node:crypto';
import type { Said, WorkState, WorkView } from '../../bridge/works.ts';
import { saidOf, WorkFailure } from './work-failure.ts';

/** Finished work that can still be looked at; the oldest goes first. */
const MOST_KEPT = 50;

/** What work tells of itself while it goes on. */
export interface Progress<R> {
  readonly signal: AbortSignal;
  /** @throws when it was cancelled */
  stopIfCancelled(): void;
  count(done: number, total: number): void;
  show(result: R): void;
  become(state: WorkState): void;
}

export interface Work<R> {
  readonly id: string;
  view(): WorkView<R>;
  cancel(): void;
  /** When it has ended, well or not. */
  readonly ended: Promise<void>;
}

export class Cancelled extends Error {}

/** Work that goes on by itself and is looked at by its id. */
export interface WorkList {
  start<R>(run: (progress: Progress<R>) => Promise<void>): Work<R>;
  /** @throws {WorkFailure} when it is not known any more */
  find(id: string): Work<unknown>;
  isBusy(): boolean;
}

export function createWorkList(onBusy: (isBusy: boolean) => void): WorkList {
  const works = new Map<string, Work<unknown>>();
  let running = 0;

  function start<R>(run: (progress: Progress<R>) => Promise<void>): Work<R> {
    const cancelling = new AbortController();
    const id = randomUUID();
    let [state, done, total] = ['running' as WorkState, 0, 0];
    let trouble: Said | null = null;
    let result: R | null = null;
    const progress: Progress<R> = {
      signal: cancelling.signal,
      stopIfCancelled() {
        if (cancelling.signal.aborted) throw new Cancelled('cancelled');
      },
      count: (now, of) => void ([done, total] = [now, of]),
      show: (shown) => void (result = shown),
      become: (next) => void (state = next),
    };
    if ((running += 1) === 1) onBusy(true);
    async function go(): Promise<void> {
      try {
        await run(progress);
        state = 'done';
      } catch (error) {
        state = error instanceof Cancelled ? 'cancelled' : 'failed';
        trouble = error instanceof Cancelled ? null : saidOf(error);
      } finally {
        if ((running -= 1) === 0) onBusy(false);
      }
    }
    const work: Work<R> = {
      id,
      view: () => ({ id, state, done, total, trouble, result }),
      cancel: () => cancelling.abort(),
      ended: go(),
    };
    works.set(id, work);
    for (const [old, kept] of works) {
      if (works.size <= MOST_KEPT) break;
      const { state: itsState } = kept.view();
      if (itsState !== 'running' && itsState !== 'undoing') works.delete(old);
    }
    return work;
  }

  return {
    start,
    find(id) {
      const work = works.get(id);
      if (work === undefined) throw new WorkFailure('interrupted');
      return work;
    },
    isBusy: () => running > 0,
  };
}
