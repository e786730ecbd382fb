/** How far the server's clock is ahead of this machine's, by its last live message; they need not agree. */
let aheadMs = 0;

/** @param serverMs the server's time when it sent the message that just arrived */
export function noteServerTime(serverMs: number): void {
  aheadMs = serverMs - Date.now();
}

/** @param localMs this machine's time. @returns what the server's clock shows then, in milliseconds since the epoch */
export const serverTimeAt = (localMs: number): number => localMs + aheadMs;

/** What the server's clock shows now. Expiries, and how long ago something was, are by it. */
export const serverNow = (): number => serverTimeAt(Date.now());
