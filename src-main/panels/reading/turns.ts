/** Makes work wait until fewer than `most` are under way. A signal ends the wait at once. */
export function createTurns(most: number): <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T> {
  let running = 0;
  let waiting: (() => void)[] = [];
  const turn = (signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push(resolve);
      signal?.addEventListener('abort', () => {
        waiting = waiting.filter((other) => other !== resolve);
        reject(signal.reason as Error);
      });
    });
  return async (work, signal) => {
    signal?.throwIfAborted();
    if (running >= most) await turn(signal);
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}
