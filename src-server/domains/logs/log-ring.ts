import type { Logger } from '../../contract/logger.ts';
import { redact } from '../../logging/redact.ts';

const CAPACITY = 10_240;
/** Beyond this many characters the oldest records are dropped, however few there are. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const LONGEST = 4_000;

export type RingLevel = 'debug' | 'info' | 'warn' | 'error';
const LEVELS: readonly RingLevel[] = ['debug', 'info', 'warn', 'error'];
const SHOWN: Readonly<Record<RingLevel, string>> = { debug: 'DEBUG', info: 'INFO', warn: 'WARNING', error: 'ERROR' };

interface LogRecord {
  level: RingLevel;
  line: string;
  /** Records of both rings in chronological order. */
  turn: number;
}

/** The newest records; the oldest are dropped when there are too many, or too many characters. */
function createShelf() {
  const records: LogRecord[] = [];
  let first = 0;
  let characters = 0;
  return {
    add(record: LogRecord): void {
      records.push(record);
      characters += record.line.length;
      while (records.length - first > CAPACITY || characters > MAX_CHARACTERS) {
        characters -= records[first]!.line.length;
        first += 1;
      }
      // Amortised: the other half is moved once. Few long records are as many characters as many short ones.
      if (first * 2 > records.length) {
        records.splice(0, first);
        first = 0;
      }
    },
    *newestFirst(): Generator<LogRecord> {
      for (let index = records.length - 1; index >= first; index--) yield records[index]!;
    },
  };
}

/** The panel's log in memory: what its pages show. Secrets are redacted and every record is one line. */
export function createLogRing(behind: Logger, clock: () => number) {
  // Separate, because every request writes a debug line: on a busy panel these would push everything else out.
  const shelves = { debug: createShelf(), other: createShelf() };
  let turn = 0;

  function add(level: RingLevel, event: string, fields: Record<string, unknown> | undefined): void {
    const line = `${localTime(new Date(clock()))} ${SHOWN[level]} - ${messageOf(event, fields)}`;
    shelves[level === 'debug' ? 'debug' : 'other'].add({ level, line, turn: turn++ });
  }
  const at =
    (level: RingLevel) =>
    (event: string, fields?: Record<string, unknown>): void => {
      add(level, event, fields);
      behind[level](event, fields);
    };

  return {
    /** Writes to the ring, whatever its level, and to the log behind it. */
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    /**
     * The newest `count` lines that are at least as severe and contain `keyword`, oldest first.
     * @param lowest null = no line is severe enough
     */
    last(count: number, lowest: RingLevel | null, keyword: string): string[] {
      const found: string[] = [];
      if (lowest === null) return found;
      const least = LEVELS.indexOf(lowest);
      const read =
        lowest === 'debug'
          ? newestOf(shelves.debug.newestFirst(), shelves.other.newestFirst())
          : shelves.other.newestFirst();
      for (const { level, line } of read) {
        if (found.length >= count) break;
        if (LEVELS.indexOf(level) >= least && line.includes(keyword)) found.push(line);
      }
      return found.toReversed();
    },
  };
}
export type LogRing = ReturnType<typeof createLogRing>;

/** Merges two lists of records, newest first. */
function* newestOf(one: Generator<LogRecord>, other: Generator<LogRecord>): Generator<LogRecord> {
  let [left, right] = [one.next(), other.next()];
  while (left.done !== true || right.done !== true) {
    if (right.done === true || (left.done !== true && left.value.turn > right.value.turn)) {
      yield left.value as LogRecord;
      left = one.next();
    } else {
      yield right.value;
      right = other.next();
    }
  }
}

/** The core's output verbatim; everything else as its event with the fields. */
function messageOf(event: string, fields: Record<string, unknown> | undefined): string {
  const safe = redact(fields ?? {}) as Record<string, unknown>;
  const text =
    event === 'core.output' && typeof safe['text'] === 'string'
      ? `CORE: ${safe['text']}`
      : Object.keys(safe).length === 0
        ? event
        : `${event} ${JSON.stringify(safe)}`;
  return escapeControls(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

/** Line breaks, terminal sequences and direction marks must not make one record look like another. */
function escapeControls(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (char) => `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  );
}

/** `2006/01/02 15:04:05` in the machine's time zone. */
function localTime(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}/${two(date.getMonth() + 1)}/${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
