/** Changes whose notification offers an undo: deletions and bulk changes. */
const OFFERED = /\/(del|bulk|delete|reset|plans\/apply)/i;
/** An older change belongs to an earlier notification. */
const FRESH_MS = 5_000;

let changes: { id: number; atMs: number }[] = [];

/** Records the journal entries of a call. @param entries as the header names them */
export function noteChange(path: string, entries: string | null): void {
  if (entries !== null && OFFERED.test(path))
    changes.push(...entries.split(',').map((id) => ({ id: Number(id), atMs: Date.now() })));
}

/** Those since the last notification, oldest first. */
export function takeChanges(): number[] {
  const fresh = changes.filter(({ atMs }) => Date.now() - atMs < FRESH_MS);
  changes = [];
  return fresh.map(({ id }) => id);
}
