/** Keys of one entry are on one line, with this around each. */
const BETWEEN = '\t';
const END = '\n';
/** Entries per text: enough that few texts are searched, few enough that each is built quickly. */
const ENTRIES = 1_000;

/** Case-folded for comparison. Letters that fold to longer text stay as they are, so that positions agree. */
export function fold(text: string): string {
  const folded = text.toLowerCase();
  return folded.length === text.length ? folded : text;
}

interface Piece {
  /** As written. The same text where it is folded already. */
  shown: string;
  folded: string;
  /** Start of each entry. */
  starts: Uint32Array;
}

/** A match: its number, and its keys as written. */
export interface FoundEntry {
  at: number;
  keys: string[];
  /** 0: a whole key, 1: a prefix, 2: within a key. */
  rank: 0 | 1 | 2;
}

/** The keys of many entries as a few long texts: 200,000 clients are searched in some milliseconds. */
export interface KeyTexts {
  readonly count: number;
  /** @param text folded, without line ends @param most matches */
  find(text: string, most: number): FoundEntry[];
}

export function createKeyTexts(entries: Iterable<readonly string[]>): KeyTexts {
  const texts = startKeyTexts();
  for (const keys of entries) texts.add(keys);
  return texts.end();
}

/** The same for entries that are added one by one. */
export function startKeyTexts(): { add(keys: readonly string[]): void; end(): KeyTexts } {
  const pieces: Piece[] = [];
  let lines: string[] = [];
  let count = 0;
  const finish = (): void => {
    if (lines.length > 0) pieces.push(pieceOf(lines));
    lines = [];
  };
  return {
    add(keys) {
      // Each key has a mark on both sides: so whole keys, and prefixes, can be searched for.
      lines.push(BETWEEN + keys.map((key) => key.replaceAll(/[\t\n]/g, ' ')).join(BETWEEN) + BETWEEN);
      count += 1;
      if (lines.length === ENTRIES) finish();
    },
    end() {
      finish();
      return textsOf(pieces, count);
    },
  };
}

function textsOf(pieces: readonly Piece[], count: number): KeyTexts {
  function findAll(text: string, pattern: string, most: number): FoundEntry[] {
    const found: FoundEntry[] = [];
    for (const [index, piece] of pieces.entries()) {
      if (found.length >= most) break;
      findIn(piece, text, pattern, most - found.length, ({ at, ...entry }) =>
        found.push({ ...entry, at: at + index * ENTRIES }),
      );
    }
    return found;
  }
  return {
    count,
    find(text, most) {
      const within = findAll(text, text, most);
      if (within.length < most) return within;
      // The best match may be behind the first ones.
      const better = [BETWEEN + text + BETWEEN, BETWEEN + text].flatMap((pattern) => findAll(text, pattern, most));
      const byPlace = new Map([...better, ...within].map((entry) => [entry.at, entry]));
      return [...byPlace.values()].toSorted((one, other) => one.rank - other.rank).slice(0, most);
    },
  };
}

function pieceOf(lines: readonly string[]): Piece {
  const shown = lines.join(END);
  const folded = lines.map(fold).join(END);
  const starts = new Uint32Array(lines.length);
  let at = 0;
  for (const [index, line] of lines.entries()) {
    starts[index] = at;
    at += line.length + 1;
  }
  return { shown: shown === folded ? folded : shown, folded, starts };
}

function findIn(piece: Piece, text: string, pattern: string, most: number, take: (entry: FoundEntry) => void): void {
  let from = 0;
  for (let taken = 0; taken < most; taken += 1) {
    const place = piece.folded.indexOf(pattern, from);
    if (place === -1) return;
    const at = entryAt(piece.starts, place);
    const [start, end] = [piece.starts[at]!, (piece.starts[at + 1] ?? piece.folded.length + 1) - 1];
    const keysIn = (line: string): string[] => line.slice(start + 1, end - 1).split(BETWEEN);
    take({ at, keys: keysIn(piece.shown), rank: rankOf(keysIn(piece.folded), text) });
    from = end;
  }
}

/** The last entry that begins at or before a position. */
function entryAt(starts: Uint32Array, place: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

function rankOf(keys: readonly string[], text: string): FoundEntry['rank'] {
  if (keys.includes(text)) return 0;
  return keys.some((key) => key.startsWith(text)) ? 1 : 2;
}
