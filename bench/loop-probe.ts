import { setTimeout as delay } from 'node:timers/promises';

/** Asks for the cheapest answer there is again and again: what it waits longer than usual, others held the event loop. */
export function loopProbe(origin: string): { stop: () => Promise<number> } {
  const probe = { isStopped: false };
  let longestMs = 0;
  async function ask(): Promise<void> {
    while (!probe.isStopped) {
      const startedAt = performance.now();
      await fetch(origin, { method: 'HEAD', redirect: 'manual' }).then((answer) => answer.body?.cancel());
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      await delay(2);
    }
  }
  const asking = ask();
  return {
    async stop() {
      probe.isStopped = true;
      await asking;
      return longestMs;
    },
  };
}
