/** Handed to the work of a job. */
export interface RunningJob {
  signal: AbortSignal;
  /** `done` and `total` in bytes, or in files; `total` 0 = not known. */
  report: (progress: { done: number; total: number; stage?: string }) => void;
}

/** Starts work that outlives its request. */
export interface JobPort {
  start<T>(job: { kind: string; title: string; run: (job: RunningJob) => Promise<T> }): { id: string };
}
