/** What a counter counts: a client (by e-mail), an inbound or an outbound (by tag). */
export type CounterKind = 'user' | 'inbound' | 'outbound';
export const COUNTER_KINDS: readonly CounterKind[] = ['user', 'inbound', 'outbound'];

/** The known counters of one kind, columnar: position p is subjects[p], ids[p]. */
export interface BaselineTable {
  positions: Map<string, number>;
  /** Position plus one, by the number of the name in the core's readings; 0 = not looked up yet. */
  byNumber: Int32Array;
  subjects: string[];
  /** Row ids in `counterBaselines`. */
  ids: number[];
  /** Client or inbound id credited with the bytes; 0 = none. Kept up to date for users only. */
  owners: number[];
  /** The last committed values, in bytes. */
  up: number[];
  down: number[];
}

/** A row of `counterBaselines` for the book. */
export interface BaselineRow {
  id: number;
  kind: CounterKind;
  subject: string;
  ownerId: number | null;
  upBytes: number;
  downBytes: number;
}

/**
 * The committed baselines of one boot of one core, kept in memory so that a tick reads nothing. The tables stay
 * authoritative: counters whose owner changed are recorded there until a reading has taken over the new owner, and a
 * failed commit discards the book.
 */
export interface BaselineBook {
  readonly sourceId: number;
  readonly bootId: string;
  readonly tables: Record<CounterKind, BaselineTable>;
  /** Highest row id taken over; newer rows were added by registration, a rename or a removal. */
  maxId: number;
  /** Wall time of the newest committed reading; null before the first one of this process. */
  lastReadAtMs: number | null;
  /** Monotonic time of the last reading that covered everything; null before the first. */
  lastFullReadMs: number | null;
}

export function createBook(sourceId: number, bootId: string): BaselineBook {
  const table = (): BaselineTable => ({
    positions: new Map(),
    byNumber: new Int32Array(64),
    subjects: [],
    ids: [],
    owners: [],
    up: [],
    down: [],
  });
  return {
    sourceId,
    bootId,
    tables: { user: table(), inbound: table(), outbound: table() },
    maxId: 0,
    lastReadAtMs: null,
    lastFullReadMs: null,
  };
}

export function addBaseline(book: BaselineBook, row: BaselineRow): void {
  const table = book.tables[row.kind];
  table.positions.set(row.subject, table.ids.length);
  table.subjects.push(row.subject);
  table.ids.push(row.id);
  table.owners.push(row.ownerId ?? 0);
  table.up.push(row.upBytes);
  table.down.push(row.downBytes);
  if (row.id > book.maxId) book.maxId = row.id;
}

/** Position of a counter in a reading; undefined = it has no baseline yet. */
export function positionOf(table: BaselineTable, subject: string, number: number): number | undefined {
  const noted = (table.byNumber[number] ?? 0) - 1;
  // Looking up a text costs ten times as much as comparing it with the same object.
  if (noted >= 0 && table.subjects[noted] === subject) return noted;
  const position = table.positions.get(subject);
  if (position === undefined) return undefined;
  if (number >= table.byNumber.length) {
    const longer = new Int32Array(Math.max(number + 1, table.byNumber.length * 2));
    longer.set(table.byNumber);
    table.byNumber = longer;
  }
  table.byNumber[number] = position + 1;
  table.subjects[position] = subject;
  return position;
}
