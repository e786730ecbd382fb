import type { Client } from 'pg';

const BEAT_MS = 500;
/** Together with {@link BEAT_MS} less than two seconds, within which a request must learn of the loss. */
const SILENT_MS = 1_200;
/** After the thread was held up, it reads what arrived meanwhile within this many turns. */
const LAST_LOOKS = 3;

/**
 * Pings the server twice a second: a machine that is gone sends nothing, and its connections stay open for minutes.
 * @param heardAtMs when any connection last received from the server, in monotonic ms: a busy one may be late with this
 *   response
 */
export function startHeartbeat(client: Client, heardAtMs: () => number, onSilent: () => void): { stop(): void } {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const later = (run: () => void, delayMs: number): void => {
    timer = setTimeout(run, delayMs);
    timer.unref();
  };

  function beat(): void {
    let isOver = false;
    const sentAtMs = performance.now();
    const look = (looksLeft: number): void => {
      if (isStopped || isOver) return;
      if (looksLeft > 0) return void setImmediate(look, looksLeft - 1);
      const silentMs = performance.now() - Math.max(sentAtMs, heardAtMs());
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
      // The end of the connection has its own event.
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
