/** What a job's work is given. */
export interface RunningJob {
  signal: AbortSignal;
  /** `done` and `total` in bytes, or in files; `total` 0 = not known. */
  report: (progress: { done: number; total: number; stage?: string }) => void;
}

/** Where work that outlives its request is started. */
export interface JobPort {
  start<T>(job: { kind: string; title: string; run: (job: RunningJob) => Promise<T> }): { id: string };
}
