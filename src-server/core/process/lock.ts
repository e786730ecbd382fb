/** Runs one task after the other, in the order of the calls. A task that fails does not keep the next one from running. */
export interface Lock {
  run<T>(task: () => Promise<T>): Promise<T>;
}

export function createLock(): Lock {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(task) {
      const result = last.then(task);
      last = result.catch(() => undefined);
      return result;
    },
  };
}
