/** Runs tasks one after another, in the order of the calls. A failure goes to its own caller only. */
export type Line = <T>(work: () => Promise<T>) => Promise<T>;

/** @param places how many run at a time. Nothing begins within the call itself. */
export function createLine(places = 1): Line {
  let free = places;
  const waiting: (() => void)[] = [];
  return async (work) => {
    await new Promise<void>((begin) => {
      if (free === 0) waiting.push(begin);
      else {
        free -= 1;
        begin();
      }
    });
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/** Does `work` for every item, at most `atOnce` at the same time. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}

/**
 * Stops waiting for work that cannot be cancelled; a late result is dropped. @throws `reason()` when the signal fires
 * first
 */
export function untilAbort<T>(
  work: Promise<T>,
  signal: AbortSignal,
  reason = (): Error => new Error('given up'),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(reason());
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
