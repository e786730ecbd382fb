/**
 * How every panel process starts, whatever starts it: with little unused memory.
 *
 * V8 by itself keeps 100 MiB more of young space resident with 100,000 clients (in MiB), and lets garbage grow to three times of
 * what is in use before it collects (percent): 90 MiB after an import of 10,000 clients. Pages once used stay with the process
 * while it is busy, so it is the most that counts; 40 percent cost no more processor time than 60, and 17 MiB less.
 */
export const PANEL_EXEC_ARGV: readonly string[] = ['--max-semi-space-size=4', '--heap-growing-percent=40'];

/**
 * The same for the panel behind a window, which rests nearly always on a computer that has other things to do: young space that
 * nothing is in is given back after each collection, 12 MiB in its threads together. What is compiled stays compiled.
 */
export const WINDOW_PANEL_EXEC_ARGV: readonly string[] = [...PANEL_EXEC_ARGV, '--optimize-for-size'];

/** Environment of the panel, for glibc: its pools per thread give little back, 40 MiB after long lists. What is set already wins. */
export const panelEnv = (): NodeJS.ProcessEnv => ({
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  ...process.env,
});
