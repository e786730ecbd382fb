import { untilAbort } from '../../concurrency.ts';
import type { Schedule } from '../../contract/schedule.ts';
import type { Channel, StoredEvent } from './channel.ts';

const DEADLINE_MS = 45_000;

/**
 * Delivers one event within a deadline.
 * @param stopping aborts the delivery
 * @returns why it failed; null when it was delivered
 */
export async function attemptDelivery(
  channel: Channel,
  event: StoredEvent,
  schedule: Schedule,
  stopping: AbortSignal,
): Promise<unknown> {
  const late = new AbortController();
  const deadline = schedule.after(DEADLINE_MS, () => late.abort());
  const signal = AbortSignal.any([stopping, late.signal]);
  try {
    const delivery = (async () => channel.deliver(event, signal))();
    await untilAbort(delivery, signal);
    return null;
  } catch (error) {
    return late.signal.aborted ? new Error(`no answer within ${DEADLINE_MS / 1000} s`) : error;
  } finally {
    deadline.cancel();
  }
}
