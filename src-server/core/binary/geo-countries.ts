import { open, type FileHandle } from 'node:fs/promises';
import ipaddr from 'ipaddr.js';

/** Of a country: ranges of addresses in ascending order, as first and last number of each. */
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
  /** @returns ISO 3166 alpha-2 in upper case; null where no list has it */
  countryOf: (address: string) => string | null;
  /** Bytes of the tables. */
  bytes: number;
}

/** Tag of an entry of the file: field 1, a message. */
const ENTRY = 0x0a;
/** Longest beginning of an entry: its tag and its length. */
const HEAD_BYTES = 11;
/** The rest of an IPv6 address says nothing about its country, and does not fit into a number exactly. */
const SIX_BITS = 53;
/** Longer than any list of a country; a file that names a longer one is none. */
const MAX_ENTRY_BYTES = 64 * 1024 * 1024;

/**
 * Reads the countries of a file in the form of the core's geo files: lists of blocks of addresses by name, of which those named
 * by two letters are countries. One list after another, so that neither memory nor time goes to more than one at once.
 * @throws when the file cannot be read or is none of these
 */
export async function readCountries(path: string): Promise<CountryTable> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const countries: Country[] = [];
    for (let at = 0; at < size;) {
      const { start, length } = await entryAt(file, at);
      if (length > MAX_ENTRY_BYTES || start + length > size) throw new Error(`${path}: damaged at ${at}`);
      const country = countryIn(await bytesOf(file, start, length));
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

/** Numbers and parts of a protobuf message, one after another. Read by hand: objects for half a million blocks would be 100 MB. */
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
    /** Passes over the value of a field that is not asked for. */
    skip: (tag: number): void => {
      const kind = tag & 7;
      if (kind === 0) varint();
      else if (kind === 2) at += varint();
      else at += kind === 1 ? 8 : 4;
    },
  };
}

/** Null for a list of another kind: a provider, private addresses, everything but a country. */
function countryIn(entry: Uint8Array): Country | null {
  const reader = createReader(entry);
  let code = '';
  const four: Block[] = [];
  const six: Block[] = [];
  while (!reader.isDone()) {
    const tag = reader.varint();
    if (tag === 0x0a) {
      code = Buffer.from(reader.part()).toString('latin1').toUpperCase();
      if (!/^[A-Z]{2}$/.test(code)) return null;
    } else if (tag === 0x12) addBlock(reader.part(), four, six);
    // Reversed: all but these.
    else if (tag === 0x18 && reader.varint() !== 0) return null;
    else if (tag !== 0x18) reader.skip(tag);
  }
  return code === '' ? null : { code, four: merged(four), six: merged(six) };
}

type Block = readonly [first: number, last: number];

function addBlock(message: Uint8Array, four: Block[], six: Block[]): void {
  const reader = createReader(message);
  let address: Uint8Array = new Uint8Array();
  let prefix = 0;
  while (!reader.isDone()) {
    const tag = reader.varint();
    if (tag === 0x0a) address = reader.part();
    else if (tag === 0x10) prefix = reader.varint();
    else reader.skip(tag);
  }
  if (address.length !== 4 && address.length !== 16) return;
  const isFour = address.length === 4;
  const first = numberOf(address);
  const size = 2 ** Math.max(0, (isFour ? 32 : SIX_BITS) - prefix);
  (isFour ? four : six).push([first, first + size - 1]);
}

/** An IPv4 address, or the first 53 bits of an IPv6 one. */
function numberOf(address: ArrayLike<number>): number {
  const byte = (at: number): number => address[at] ?? 0;
  const high = byte(0) * 2 ** 24 + byte(1) * 2 ** 16 + byte(2) * 2 ** 8 + byte(3);
  if (address.length === 4) return high;
  return high * 2 ** 21 + byte(4) * 2 ** 13 + byte(5) * 2 ** 5 + Math.floor(byte(6) / 8);
}

/** In order, neighbours as one. */
function merged(blocks: Block[]): Ranges {
  blocks.sort(([a], [b]) => a - b);
  const firsts = new Float64Array(blocks.length);
  const lasts = new Float64Array(blocks.length);
  let count = 0;
  for (const [first, last] of blocks)
    if (count > 0 && first <= lasts[count - 1]! + 1) lasts[count - 1] = Math.max(last, lasts[count - 1]!);
    else {
      firsts[count] = first;
      lasts[count] = last;
      count += 1;
    }
  return { firsts: firsts.slice(0, count), lasts: lasts.slice(0, count) };
}

function createTable(countries: readonly Country[]): CountryTable {
  return {
    bytes: countries.reduce(
      (sum, { four, six }) => sum + 2 * (four.firsts.byteLength + six.firsts.byteLength),
      0,
    ),
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
