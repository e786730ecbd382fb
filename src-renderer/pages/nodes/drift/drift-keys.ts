import type { DriftRow } from '#contract/nodes/drift';

/** Root of what was read of a node for its board. */
export const driftKey = (id: string): readonly string[] => ['drift', id];

export const idOf = ({ kind, key }: Pick<DriftRow, 'kind' | 'key'>): string => `${kind} ${key}`;
