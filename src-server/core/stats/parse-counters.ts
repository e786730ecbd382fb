import type { CounterTable } from '../core.ts';
import { createBreather } from './loop-breather.ts';
import { WireReader } from './wire-reader.ts';

export interface ParsedCounters {
  users: CounterTable;
  inbounds: CounterTable;
  outbounds: CounterTable;
}

const STAT = 1 * 8 + 2;
const NAME = 1 * 8 + 2;
const VALUE = 2 * 8 + 0;
const STEPS_PER_CLOCK = 256;

/**
 * Reads an encoded QueryStatsResponse (`repeated Stat {string name = 1; int64 value = 2}`) into columns, giving way to
 * the event loop in between. Names that are not `kind>>>name>>>traffic>>>uplink|downlink` are passed over; a counter
 * that exists in one direction only has 0 in the other.
 * @throws {RangeError} when the bytes are no such message
 */
export async function parseCounters(bytes: Buffer, isIgnored: (tag: string) => boolean): Promise<ParsedCounters> {
  const builders = { user: new TableBuilder(), inbound: new TableBuilder(), outbound: new TableBuilder() };
  const message = new WireReader(bytes);
  const breather = createBreather();
  let steps = 0;
  for (let tag = message.tag(); tag !== 0; tag = message.tag()) {
    if (tag === STAT) {
      message.span();
      readStat(bytes, message.start, message.end, builders);
    } else {
      message.skip(tag);
    }
    steps += 1;
    if (steps % STEPS_PER_CLOCK === 0 && breather.isDue()) await breather.pause();
  }
  return {
    users: builders.user.finish(),
    inbounds: builders.inbound.finish(isIgnored),
    outbounds: builders.outbound.finish(isIgnored),
  };
}

type Builders = Record<'user' | 'inbound' | 'outbound', TableBuilder>;

function readStat(bytes: Buffer, start: number, end: number, builders: Builders): void {
  const stat = new WireReader(bytes, start, end);
  let name = '';
  let value = 0;
  for (let tag = stat.tag(); tag !== 0; tag = stat.tag()) {
    if (tag === NAME) {
      stat.span();
      name = bytes.toString('utf8', stat.start, stat.end);
    } else if (tag === VALUE) {
      value = stat.varint();
    } else {
      stat.skip(tag);
    }
  }
  const parts = name.split('>>>');
  const [kind, subject, what, direction] = parts;
  if (parts.length !== 4 || what !== 'traffic' || subject === undefined || subject === '') return;
  if (kind !== 'user' && kind !== 'inbound' && kind !== 'outbound') return;
  // 2^63 and above is a negative int64: a counter that someone set back. It has no meaning for us.
  const counted = value < 2 ** 63 ? value : 0;
  if (direction === 'uplink') builders[kind].add(subject, counted, 0);
  else if (direction === 'downlink') builders[kind].add(subject, 0, counted);
}

/** Collects rows by name; the columns grow by doubling. */
class TableBuilder {
  readonly #rows = new Map<string, number>();
  readonly #names: string[] = [];
  #up = new Float64Array(64);
  #down = new Float64Array(64);

  add(name: string, up: number, down: number): void {
    let row = this.#rows.get(name);
    if (row === undefined) {
      row = this.#names.length;
      this.#rows.set(name, row);
      this.#names.push(name);
      if (row === this.#up.length) {
        this.#up = grown(this.#up);
        this.#down = grown(this.#down);
      }
    }
    this.#up[row] = (this.#up[row] as number) + up;
    this.#down[row] = (this.#down[row] as number) + down;
  }

  /** @param isIgnored only for tables of few rows */
  finish(isIgnored?: (name: string) => boolean): CounterTable {
    const rows = this.#names.length;
    if (!isIgnored || !this.#names.some(isIgnored)) {
      return { names: this.#names, up: this.#up.subarray(0, rows), down: this.#down.subarray(0, rows) };
    }
    const kept = this.#names.flatMap((name, row) => (isIgnored(name) ? [] : [row]));
    return {
      names: kept.map((row) => this.#names[row] as string),
      up: Float64Array.from(kept, (row) => this.#up[row] as number),
      down: Float64Array.from(kept, (row) => this.#down[row] as number),
    };
  }
}

function grown(column: Float64Array): Float64Array<ArrayBuffer> {
  const next = new Float64Array(column.length * 2);
  next.set(column);
  return next;
}
