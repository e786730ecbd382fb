/** What one column asks for, in CSS pixels. */
export interface ColumnNeed<Id extends string> {
  id: Id;
  /** Shows everything in it. */
  wanted: number;
  /** Still readable: shorter text ends in dots. */
  least: number;
  /** Given by hand: stays as it is. */
  chosen: number | undefined;
}

/**
 * Widths of all columns in a table of so many pixels. Room that is left goes to all in proportion, room that lacks is taken from
 * those that may be shorter; what cannot be saved that way is scrolled sideways.
 */
export function fitWidths<Id extends string>(
  needs: readonly ColumnNeed<Id>[],
  roomPx: number,
): ReadonlyMap<Id, number> {
  const first = needs.map(({ wanted, chosen }) => chosen ?? wanted);
  const spare = roomPx - sum(first);
  const shares = needs.map(({ wanted, least, chosen }) =>
    chosen !== undefined ? 0 : spare > 0 ? wanted : Math.max(0, wanted - least),
  );
  const all = sum(shares);
  // Before the table is on screen there is no room to fill.
  const part = roomPx <= 0 || all === 0 ? 0 : Math.max(spare / all, -1);
  return new Map(needs.map(({ id }, at) => [id, Math.floor(first[at]! + shares[at]! * part)]));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
