import { BinaryReader } from '@bufbuild/protobuf/wire';
import type { CounterTable } from '../core.ts';
import { createTimeSlices } from '../../time-slices.ts';
import { SubjectNames } from './subject-names.ts';

export interface ParsedCounters {
  users: CounterTable;
  inbounds: CounterTable;
  outbounds: CounterTable;
}

/** Field numbers. */
const STAT = 1;
const NAME = 1;
const VALUE = 2;
const STEPS_PER_CLOCK = 256;

/** The names of one core process by kind; kept from one reading to the next. */
export type CounterNames = Record<'user' | 'inbound' | 'outbound', SubjectNames>;

export function createCounterNames(): CounterNames {
  return { user: new SubjectNames(), inbound: new SubjectNames(), outbound: new SubjectNames() };
}

/**
 * Reads an encoded QueryStatsResponse (`repeated Stat {string name = 1; int64 value = 2}`) into columns, yielding to
 * the event loop in between. Names that are not `kind>>>name>>>traffic>>>uplink|downlink` are skipped; a counter that
 * exists in one direction only has 0 in the other. Objects for all of it would hold up the event loop.
 * @throws {Error} when the bytes are not such a message
 */
export async function parseCounters(
  bytes: Buffer,
  isIgnored: (tag: string) => boolean,
  names: CounterNames,
): Promise<ParsedCounters> {
  const builders = {
    user: new TableBuilder(names.user),
    inbound: new TableBuilder(names.inbound),
    outbound: new TableBuilder(names.outbound),
  };
  const reader = new BinaryReader(bytes);
  const slices = createTimeSlices();
  let steps = 0;
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === STAT) readStat(bytes, reader, builders);
    else reader.skip(type, field);
    steps += 1;
    if (steps % STEPS_PER_CLOCK === 0 && slices.isOver()) await slices.next();
  }
  return {
    users: builders.user.finish(),
    inbounds: builders.inbound.finish(isIgnored),
    outbounds: builders.outbound.finish(isIgnored),
  };
}

type Builders = Record<'user' | 'inbound' | 'outbound', TableBuilder>;

const PREFIXES: Record<keyof Builders, Buffer> = {
  user: Buffer.from('user>>>'),
  inbound: Buffer.from('inbound>>>'),
  outbound: Buffer.from('outbound>>>'),
};
const GREATER = '>'.charCodeAt(0);
const UPLINK = Buffer.from('>>>traffic>>>uplink');
const DOWNLINK = Buffer.from('>>>traffic>>>downlink');

function readStat(bytes: Buffer, reader: BinaryReader, builders: Builders): void {
  const end = endOf(reader);
  let nameStart = 0;
  let nameEnd = 0;
  let value = 0;
  while (reader.pos < end) {
    const [field, type] = reader.tag();
    if (field === NAME) {
      nameEnd = endOf(reader);
      nameStart = reader.pos;
      reader.pos = nameEnd;
    } else if (field === VALUE) {
      value = Number(reader.int64());
    } else {
      reader.skip(type, field);
    }
  }
  if (reader.pos !== end) throw new RangeError('truncated message');
  // Compared as bytes: every reading has two names per client, and making strings of them is most of its cost.
  const isUp = isAt(bytes, nameEnd - UPLINK.length, UPLINK);
  if (!isUp && !isAt(bytes, nameEnd - DOWNLINK.length, DOWNLINK)) return;
  const kind = kindAt(bytes, nameStart);
  if (kind === null) return;
  const subjectStart = nameStart + PREFIXES[kind].length;
  const subjectEnd = nameEnd - (isUp ? UPLINK : DOWNLINK).length;
  if (subjectStart >= subjectEnd || holdsSeparator(bytes, subjectStart, subjectEnd)) return;
  // A negative value is a counter that was set back. It has no meaning for us.
  const counted = Math.max(0, value);
  builders[kind].add(bytes, subjectStart, subjectEnd, isUp ? counted : 0, isUp ? 0 : counted);
}

/** End of the length-delimited field at the reader's position. */
function endOf(reader: BinaryReader): number {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError('truncated message');
  return end;
}

function kindAt(bytes: Buffer, at: number): keyof Builders | null {
  if (isAt(bytes, at, PREFIXES.user)) return 'user';
  if (isAt(bytes, at, PREFIXES.inbound)) return 'inbound';
  return isAt(bytes, at, PREFIXES.outbound) ? 'outbound' : null;
}

function holdsSeparator(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end - 2; at++) {
    if (bytes[at] === GREATER && bytes[at + 1] === GREATER && bytes[at + 2] === GREATER) return true;
  }
  return false;
}

function isAt(bytes: Buffer, at: number, text: Buffer): boolean {
  if (at < 0) return false;
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}

/** Collects rows by name; the columns grow by doubling. */
class TableBuilder {
  readonly #subjects: SubjectNames;
  readonly #names: string[] = [];
  /** Row of a subject by its number plus one, so that 0 means none. */
  #rows: Int32Array;
  #numbers: Int32Array;
  #up: Float64Array;
  #down: Float64Array;

  constructor(subjects: SubjectNames) {
    this.#subjects = subjects;
    const capacity = Math.max(64, subjects.size);
    this.#rows = new Int32Array(capacity);
    this.#numbers = new Int32Array(capacity);
    this.#up = new Float64Array(capacity);
    this.#down = new Float64Array(capacity);
  }

  /** The subject's name is in `bytes` from `start` to `end`. */
  add(bytes: Buffer, start: number, end: number, up: number, down: number): void {
    const id = this.#subjects.idOf(bytes, start, end);
    if (id >= this.#rows.length) this.#rows = grown(this.#rows, new Int32Array(this.#subjects.size * 2));
    let row = this.#rows[id]! - 1;
    if (row < 0) {
      row = this.#names.push(this.#subjects.nameOf(id)) - 1;
      this.#rows[id] = row + 1;
      if (row >= this.#up.length) {
        this.#numbers = grown(this.#numbers, new Int32Array(row * 2));
        this.#up = grown(this.#up, new Float64Array(row * 2));
        this.#down = grown(this.#down, new Float64Array(row * 2));
      }
      this.#numbers[row] = id;
    }
    this.#up[row]! += up;
    this.#down[row]! += down;
  }

  /** @param isIgnored only for tables of few rows */
  finish(isIgnored?: (name: string) => boolean): CounterTable {
    const rows = this.#names.length;
    if (!isIgnored || !this.#names.some(isIgnored)) {
      return {
        names: this.#names,
        numbers: this.#numbers.subarray(0, rows),
        up: this.#up.subarray(0, rows),
        down: this.#down.subarray(0, rows),
      };
    }
    const kept = this.#names.flatMap((name, row) => (isIgnored(name) ? [] : [row]));
    return {
      names: kept.map((row) => this.#names[row] as string),
      numbers: Int32Array.from(kept, (row) => this.#numbers[row] as number),
      up: Float64Array.from(kept, (row) => this.#up[row] as number),
      down: Float64Array.from(kept, (row) => this.#down[row] as number),
    };
  }
}

function grown<A extends Int32Array | Float64Array>(column: A, larger: A): A {
  larger.set(column);
  return larger;
}
