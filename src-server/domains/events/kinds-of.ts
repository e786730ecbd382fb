import { EVENT_KINDS, type EventKind } from './contract.ts';

/** Known kinds in a comma list. */
export function kindsOf(list: string): EventKind[] {
  const named = new Set(list.split(',').map((entry) => entry.trim()));
  return EVENT_KINDS.filter((kind) => named.has(kind));
}
