import type { DriftField, DriftRow } from './contract.ts';
import { isHidden, type Facts } from './facts.ts';
import type { ReadRow } from './reading.ts';

/** Fields listed per row; beyond that it is enough to know that the row differs. */
const MAX_FIELDS = 40;

/** A row for the response. @param tags of inbounds here, by id */
export function presentRow(row: ReadRow, tags: ReadonlyMap<number, string>): DriftRow {
  const { kind, key, name, id, state, isLeft, isWaiting, differ } = row;
  const fields = differ.slice(0, MAX_FIELDS).map((field) => presentField(row, field, tags));
  return { kind, key, name, id, state, isLeft, isWaiting, fields };
}

function presentField(
  { want, applied, has }: Pick<ReadRow, 'want' | 'applied' | 'has'>,
  field: string,
  tags: ReadonlyMap<number, string>,
): DriftField {
  const [name = field, inboundId] = field.split('@');
  const isSecret = [want, applied, has].some((side) => isHidden(side?.[field]));
  const shown = (side: Facts | null): DriftField['has'] => {
    const value = isSecret ? null : (side?.[field] ?? null);
    if (field !== 'inbounds' || typeof value !== 'string') return value;
    return value
      .split(',')
      .filter((id) => id !== '')
      .map((id) => tags.get(Number(id)) || `#${id}`)
      .join(', ');
  };
  return {
    field: name,
    inbound: inboundId === undefined ? '' : (tags.get(Number(inboundId)) ?? ''),
    isSecret,
    want: shown(want),
    applied: shown(applied),
    isAppliedKnown: applied !== null,
    has: shown(has),
  };
}
