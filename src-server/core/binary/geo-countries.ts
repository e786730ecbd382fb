import { open, type FileHandle } from 'node:fs/promises';
import { setImmediate as breath } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';

/** Address ranges of a country in ascending order, as first and last number of each. */
interface Ranges {
  firsts: Float64Array;
  lasts: Float64Array;
}
interface Country {
  /** ISO 3166 alpha-2, upper case. */
  code: string;
  four: Ranges;
  six: Ranges;
}

/** Which country an address is in, by the lists of a `geoip.dat`. */
export interface CountryTable {
  /** @returns ISO 3166 alpha-2 in upper case; null when no list has the address */
  countryOf: (address: string) => string | null;
  /** Bytes of the tables. */
  bytes: number;
}

/** Tag of an entry in the file: field 1, a message. */
const ENTRY = 0x0a;
/** Longest header of an entry: its tag and its length. */
const HEAD_BYTES = 11;
/** The rest of an IPv6 address says nothing about its country, and does not fit exactly into a number. */
const SIX_BITS = 53;
/** Bytes of the shortest block with its tag; none of its parts can be left out. */
const MIN_BLOCK_BYTES = 8;
/** Blocks read without yielding: some milliseconds of work. */
const BLOCKS_AT_ONCE = 4_096;
/** Longer than any country's list; a file that announces a longer one is invalid. */
const MAX_ENTRY_BYTES = 64 * 1024 * 1024;

/**
 * Reads the countries from a file in the format of the core's geo files: named lists of address blocks, of which those
 * with two-letter names are countries. One list after another, so that neither memory nor time is spent on several at
 * once.
 * @throws when the file cannot be read or has another format
 */
export async function readCountries(path: string): Promise<CountryTable> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const countries: Country[] = [];
    for (let at = 0; at < size;) {
      const { start, length } = await entryAt(file, at);
      if (length > MAX_ENTRY_BYTES || start + length > size) throw new Error(`${path}: damaged at ${at}`);
      const country = await countryIn(await bytesOf(file, start, length));
      if (country !== null) countries.push(country);
      at = start + length;
    }
    return createTable(countries);
  } finally {
    await file.close();
  }
}

async function entryAt(file: FileHandle, at: number): Promise<{ start: number; length: number }> {
  const head = createReader(await bytesOf(file, at, HEAD_BYTES));
  if (head.varint() !== ENTRY) throw new Error(`no list of addresses at ${at}`);
  const length = head.varint();
  return { start: at + head.at(), length };
}

async function bytesOf(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}

/**
 * Reads the numbers and parts of a protobuf message in order. By hand: objects for half a million blocks would take 100
 * MB.
 */
function createReader(bytes: Uint8Array) {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at];
      if (byte === undefined) throw new Error('a list of addresses ends too early');
      at += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  return {
    varint,
    at: () => at,
    isDone: () => at >= bytes.length,
    part: (): Uint8Array => {
      const length = varint();
      at += length;
      return bytes.subarray(at - length, at);
    },
    /** Skips the value of an unneeded field. */
    skip: (tag: number): void => {
      const kind = tag & 7;
      if (kind === 0) varint();
      else if (kind === 2) at += varint();
      else at += kind === 1 ? 8 : 4;
    },
  };
}

type Reader = ReturnType<typeof createReader>;

/** Null for a list of another kind: a provider, private addresses, everything but a country. */
async function countryIn(entry: Uint8Array): Promise<Country | null> {
  const reader = createReader(entry);
  let code = '';
  const four = createBlocks(entry.length / MIN_BLOCK_BYTES);
  const six = createBlocks(entry.length / MIN_BLOCK_BYTES);
  for (let count = 1; !reader.isDone(); count += 1) {
    const tag = reader.varint();
    if (tag === 0x0a) {
      code = Buffer.from(reader.part()).toString('latin1').toUpperCase();
      if (!/^[A-Z]{2}$/.test(code)) return null;
    } else if (tag === 0x12) readBlock(reader, four, six);
    // Inverted: all but these.
    else if (tag === 0x18 && reader.varint() !== 0) return null;
    else if (tag !== 0x18) reader.skip(tag);
    if (count % BLOCKS_AT_ONCE === 0) await breath();
  }
  return code === '' ? null : { code, four: four.ranges(), six: six.ranges() };
}

function readBlock(reader: Reader, four: Blocks, six: Blocks): void {
  const length = reader.varint();
  const end = reader.at() + length;
  let address: Uint8Array | null = null;
  let prefix = 0;
  while (reader.at() < end) {
    const tag = reader.varint();
    if (tag === 0x0a) address = reader.part();
    else if (tag === 0x10) prefix = reader.varint();
    else reader.skip(tag);
  }
  if (address?.length === 4) four.add(numberOf(address), 2 ** Math.max(0, 32 - prefix));
  if (address?.length === 16) six.add(numberOf(address), 2 ** Math.max(0, SIX_BITS - prefix));
}

/** Collects blocks and merges neighbours. Geo files are usually sorted; otherwise they are sorted at the end. */
function createBlocks(most: number) {
  const firsts = new Float64Array(Math.ceil(most));
  const lasts = new Float64Array(Math.ceil(most));
  let count = 0;
  let isInOrder = true;
  const add = (first: number, size: number): void => {
    if (count > 0 && first < firsts[count - 1]!) isInOrder = false;
    if (isInOrder && count > 0 && first <= lasts[count - 1]! + 1) {
      lasts[count - 1] = Math.max(lasts[count - 1]!, first + size - 1);
      return;
    }
    firsts[count] = first;
    lasts[count] = first + size - 1;
    count += 1;
  };
  const ranges = (): Ranges => {
    if (isInOrder) return { firsts: firsts.slice(0, count), lasts: lasts.slice(0, count) };
    const order = Uint32Array.from({ length: count }, (_, at) => at).sort((a, b) => firsts[a]! - firsts[b]!);
    const sorted = createBlocks(count);
    for (const at of order) sorted.add(firsts[at]!, lasts[at]! - firsts[at]! + 1);
    return sorted.ranges();
  };
  return { add, ranges };
}
type Blocks = ReturnType<typeof createBlocks>;

/** An IPv4 address, or the first 53 bits of an IPv6 one. */
function numberOf(address: ArrayLike<number>): number {
  const byte = (at: number): number => address[at] ?? 0;
  const high = byte(0) * 2 ** 24 + byte(1) * 2 ** 16 + byte(2) * 2 ** 8 + byte(3);
  if (address.length === 4) return high;
  return high * 2 ** 21 + byte(4) * 2 ** 13 + byte(5) * 2 ** 5 + Math.floor(byte(6) / 8);
}

function createTable(countries: readonly Country[]): CountryTable {
  return {
    bytes: countries.reduce((sum, { four, six }) => sum + 2 * (four.firsts.byteLength + six.firsts.byteLength), 0),
    countryOf(address) {
      if (!ipaddr.isValid(address)) return null;
      const parsed = ipaddr.process(address);
      const value = numberOf(parsed.toByteArray());
      const kind = parsed.kind() === 'ipv4' ? 'four' : 'six';
      return countries.find((country) => holds(country[kind], value))?.code ?? null;
    },
  };
}

function holds({ firsts, lasts }: Ranges, value: number): boolean {
  let [low, high] = [0, firsts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (firsts[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low > 0 && value <= lasts[low - 1]!;
}
