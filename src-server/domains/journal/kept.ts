/** How long a change can be undone, and deleted things stay in the bin. */
export const KEPT_MS = 30 * 86_400_000;
