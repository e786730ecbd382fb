import type { BinItem, BinKind } from '#contract/journal';

/** The ids of each kind: ids are unique among their own kind only. */
export function byKind(items: readonly BinItem[]): [BinKind, number[]][] {
  const found = new Map<BinKind, number[]>();
  for (const { kind, id } of items) found.set(kind, [...(found.get(kind) ?? []), id]);
  return [...found];
}

/** Identifies an item among all kinds. */
export const keyOf = ({ kind, id }: BinItem): string => `${kind} ${id}`;
