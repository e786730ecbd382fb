import { useState } from 'react';

/**
 * The row of an open dialog as last seen: when another admin deletes it, the dialog stays with what was typed, and its
 * save says why it is refused.
 * @param id which dialog is open, as in the page's address
 */
export function useKeptRow<T>(id: string | null, row: T | undefined): T | undefined {
  const [kept, setKept] = useState({ id, row });
  const isGone = row === undefined && kept.id === id;
  if (!isGone && (kept.id !== id || kept.row !== row)) setKept({ id, row });
  return isGone ? kept.row : row;
}
