/** How long a change can be taken back, and what was deleted lies in the bin. */
export const KEPT_MS = 30 * 86_400_000;
