/**
 * Node options of every panel process, to keep little unused memory.
 *
 * By itself V8 keeps 100 MiB more of young space resident with 100,000 clients (in MiB), and lets garbage grow to three
 * times the used heap before it collects (percent): 90 MiB after an import of 10,000 clients. Pages once used stay with
 * the process while it is busy, so only the peak counts; 40 percent costs no more processor time than 60, and saves 17
 * MiB.
 */
export const PANEL_EXEC_ARGV: readonly string[] = ['--max-semi-space-size=4', '--heap-growing-percent=40'];

/**
 * The same for the panel behind a window, which is nearly always idle on a computer with other things to do: empty
 * young space is given back after each collection, 12 MiB in its threads together. Compiled code is kept.
 */
export const WINDOW_PANEL_EXEC_ARGV: readonly string[] = [...PANEL_EXEC_ARGV, '--optimize-for-size'];

/**
 * Environment of the panel, for glibc: its per-thread pools give little back, 40 MiB after long lists. Existing values
 * win.
 */
export const panelEnv = (): NodeJS.ProcessEnv => ({
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  ...process.env,
});
