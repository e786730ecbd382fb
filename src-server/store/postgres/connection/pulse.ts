import type { Client } from 'pg';

const BEAT_MS = 500;
/** With {@link BEAT_MS} less than the two seconds after which a request has to be told. */
const SILENT_MS = 1_200;
/** A thread that was held reads what arrived meanwhile within these turns. */
const LAST_LOOKS = 3;

/**
 * Asks the server twice a second: a machine that is gone says nothing, and its connections stay open for minutes.
 * @param heardAtMs when any connection heard of the server last, in ms that only grow: one that is busy may be late with this answer
 */
export function startPulse(client: Client, heardAtMs: () => number, onSilent: () => void): { stop(): void } {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const later = (run: () => void, delayMs: number): void => {
    timer = setTimeout(run, delayMs);
    timer.unref();
  };

  function beat(): void {
    let isOver = false;
    const askedAtMs = performance.now();
    const look = (looksLeft: number): void => {
      if (isStopped || isOver) return;
      if (looksLeft > 0) return void setImmediate(look, looksLeft - 1);
      const silentMs = performance.now() - Math.max(askedAtMs, heardAtMs());
      if (silentMs < SILENT_MS) return later(() => look(LAST_LOOKS), SILENT_MS - silentMs);
      isStopped = true;
      onSilent();
    };
    later(() => look(LAST_LOOKS), SILENT_MS);
    client.query('SELECT 1').then(
      () => {
        isOver = true;
        clearTimeout(timer);
        if (!isStopped) later(beat, BEAT_MS);
      },
      // The end of the connection is told by its own event.
      () => (isOver = true),
    );
  }

  beat();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
