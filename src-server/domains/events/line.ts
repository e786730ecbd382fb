import type { Logger } from '../../contract/logger.ts';
import type { Schedule, Timer } from '../../contract/schedule.ts';
import type { Store } from '../../store/open-store.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { PermanentFailure, type Channel } from './channel.ts';
import * as rows from './repository.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Pauses after the first failure, the second, … */
const DELAYS_MS = [10_000, 30_000, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR];
const LONGEST_DELAY_MS = Math.max(...DELAYS_MS);
/** Longest pause of a queue, so that a recovered peer is noticed soon. */
const LONGEST_PAUSE_MS = 5 * MINUTE;
const AT_ONCE = 50;
const MAX_ERROR_CHARACTERS = 500;

/** Delivers the queue of one channel, one event after another, in the background. */
export function createDeliveryLine(deps: {
  channel: Channel;
  store: Store;
  clock: () => number;
  schedule: Schedule;
  log: Logger;
  /** Resolves when the intake is not writing: until then a due event may become part of a summary. */
  settled: () => Promise<void>;
  onChanged: () => void;
}) {
  const { channel, store, clock, schedule, log, settled, onChanged } = deps;
  let timer: Timer | null = null;
  let timerAtMs = Infinity;
  let isRunning = false;
  let pausedUntilMs = 0;
  let failuresInARow = 0;
  const closing = new AbortController();
  const isClosed = (): boolean => closing.signal.aborted;

  function wake(atMs: number): void {
    // A pause or a time from before the clock was set back must not hold up the queue.
    const wakeAtMs = Math.min(Math.max(atMs, pausedUntilMs), clock() + LONGEST_PAUSE_MS);
    if (isClosed() || isRunning || wakeAtMs >= timerAtMs) return;
    timer?.cancel();
    timerAtMs = wakeAtMs;
    timer = schedule.after(Math.max(0, wakeAtMs - clock()), run);
  }

  async function run(): Promise<void> {
    timerAtMs = Infinity;
    if (isRunning || isClosed()) return;
    isRunning = true;
    let nextMs: number | null;
    try {
      await deliverDue();
      nextMs = isClosed() ? null : await rows.nextDueAtMs(store.reader, channel.name);
    } catch (error) {
      log.error('notify.lineFailed', { channel: channel.name, error });
      nextMs = pausedUntilMs = clock() + MINUTE;
    } finally {
      isRunning = false;
    }
    if (nextMs !== null) wake(nextMs);
  }

  async function deliverDue(): Promise<void> {
    for (;;) {
      const nowMs = clock();
      await settled();
      if (isClosed()) return;
      const due = await rows.dueDeliveries(store.reader, channel.name, {
        nowMs,
        latestMs: nowMs + LONGEST_DELAY_MS,
        most: AT_ONCE,
      });
      for (const one of due) {
        if (isClosed() || !(await deliverOne(one))) return;
      }
      if (due.length < AT_ONCE) return;
    }
  }

  /** @returns false when the queue has to pause. */
  async function deliverOne({ event, attempts }: rows.DueDelivery): Promise<boolean> {
    if (!channel.wants(event)) {
      await store.write((trx) => rows.dropDelivery(trx, channel.name, event.id));
      return true;
    }
    const failure = await attemptDelivery(channel, event, schedule, closing.signal);
    if (isClosed()) {
      // A completed delivery counts, even during the stop; an aborted one is retried after the next start.
      if (failure === null) await settle(event.id, { state: 'done' });
      return false;
    }
    if (failure === null) {
      failuresInARow = 0;
      await settle(event.id, { state: 'done', attempts: attempts + 1, lastError: '' });
      return true;
    }
    const lastError = messageOf(failure);
    const isLast = failure instanceof PermanentFailure || attempts >= DELAYS_MS.length;
    log.warn(isLast ? 'notify.givenUp' : 'notify.failed', { channel: channel.name, event: event.id, error: lastError });
    if (isLast) await settle(event.id, { state: 'dead', attempts: attempts + 1, lastError });
    else {
      const dueAtMs = clock() + DELAYS_MS[attempts]!;
      await settle(event.id, { attempts: attempts + 1, dueAtMs, lastError });
    }
    onChanged();
    if (failure instanceof PermanentFailure) return true;
    const pauseMs = DELAYS_MS[Math.min(failuresInARow, DELAYS_MS.length - 1)]!;
    failuresInARow += 1;
    pausedUntilMs = clock() + Math.min(pauseMs, LONGEST_PAUSE_MS);
    return false;
  }

  async function settle(eventId: number, change: Parameters<typeof rows.settleDelivery>[3]): Promise<void> {
    await store.write((trx) => rows.settleDelivery(trx, channel.name, eventId, change));
  }

  return {
    /** Called when something becomes due at this time. */
    wake,
    /** Aborts the delivery in progress; it stays in the queue. */
    close(): void {
      closing.abort();
      timer?.cancel();
    },
  };
}
export type DeliveryLine = ReturnType<typeof createDeliveryLine>;

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.slice(0, MAX_ERROR_CHARACTERS).toWellFormed();
}
