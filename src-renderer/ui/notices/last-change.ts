/** Changes that are offered to be taken back where their notification stands: what deletes, and what changes many. */
const OFFERED = /\/(del|bulk|delete|reset)/i;
/** One that is older than this belongs to an earlier notification. */
const FRESH_MS = 5_000;

let changes: { id: number; atMs: number }[] = [];

/** Notes the entries of the journal that a call made. @param entries as the header names them */
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
