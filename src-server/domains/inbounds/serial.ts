/** Runs one piece of work after another, in the order of the calls; a failure does not stop the ones behind it. */
export type Serial = <T>(work: () => Promise<T>) => Promise<T>;

export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work, work);
    last = run.catch(() => {});
    return run;
  };
}
