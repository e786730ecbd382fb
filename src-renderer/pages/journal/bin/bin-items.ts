import type { BinItem, BinKind } from '#contract/journal';

export const BIN_KINDS = ['client', 'inbound', 'host'] as const satisfies readonly BinKind[];

/** Identifies an item across kinds: ids are unique only within a kind. */
export const keyOf = ({ kind, id }: BinItem): string => `${kind} ${id}`;

/** The ids of each kind, as calls take them. */
export function byKind(items: readonly BinItem[]): [BinKind, number[]][] {
  const found = new Map<BinKind, number[]>();
  for (const { kind, id } of items) found.set(kind, [...(found.get(kind) ?? []), id]);
  return [...found];
}
