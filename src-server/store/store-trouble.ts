/**
 * Key of the text for an error that means "the disk failed us", not "the panel has a bug"; null for any other error.
 */
export function storeTrouble(error: unknown): 'store.full' | 'store.readOnly' | 'store.io' | null {
  const code: unknown = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  if (typeof code !== 'string') return null;
  if (code.startsWith('SQLITE_FULL') || code === 'ENOSPC') return 'store.full';
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN')) return 'store.readOnly';
  return code.startsWith('SQLITE_IOERR') ? 'store.io' : null;
}
