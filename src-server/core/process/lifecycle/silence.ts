const SILENT_MS = 120_000;

/** Follows whether a running core answers calls. */
export class Silence {
  /** By `performance.now()`; null when the last call was answered. */
  #sinceMs: number | null = null;
  /** Whether no call has been answered for so long that its clients are probably cut off. */
  isLong = false;

  /** @returns whether `isLong` has changed */
  note(hasResponded: boolean): boolean {
    const nowMs = performance.now();
    this.#sinceMs = hasResponded ? null : (this.#sinceMs ?? nowMs);
    const wasLong = this.isLong;
    this.isLong = this.#sinceMs !== null && nowMs - this.#sinceMs >= SILENT_MS;
    return this.isLong !== wasLong;
  }
}
