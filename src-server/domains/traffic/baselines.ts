/** What a counter counts: a client (by e-mail), an inbound or an outbound (by tag). */
export type CounterKind = 'user' | 'inbound' | 'outbound';
export const COUNTER_KINDS: readonly CounterKind[] = ['user', 'inbound', 'outbound'];

/** The last committed values of one kind, columnar: position p is subjects[p], ids[p], up[p], down[p]. */
export interface BaselineTable {
  positions: Map<string, number>;
  subjects: string[];
  /** Row ids in `counterBaselines`. */
  ids: number[];
  up: number[];
  down: number[];
}

/** A row of `counterBaselines` as the book takes it. */
export interface BaselineRow {
  id: number;
  kind: CounterKind;
  subject: string;
  upBytes: number;
  downBytes: number;
}

/**
 * The committed baselines of one boot of one core, kept in memory so that a tick reads nothing. The table stays the truth:
 * who owns a counter is only looked up there, and a failed commit throws the book away.
 */
export interface BaselineBook {
  readonly sourceId: number;
  readonly bootId: string;
  readonly tables: Record<CounterKind, BaselineTable>;
  /** Highest row id taken over; newer rows were added by registration or by a rename or a removal. */
  maxId: number;
  /** Wall time of the newest committed reading; null before the first one of this process. */
  lastReadAtMs: number | null;
  /** Monotonic time of the last reading that covered everything; null before the first. */
  lastFullReadMs: number | null;
}

export function createBook(sourceId: number, bootId: string): BaselineBook {
  const table = (): BaselineTable => ({ positions: new Map(), subjects: [], ids: [], up: [], down: [] });
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
  table.up.push(row.upBytes);
  table.down.push(row.downBytes);
  if (row.id > book.maxId) book.maxId = row.id;
}
