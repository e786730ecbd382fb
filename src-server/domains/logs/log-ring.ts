import type { Logger } from '../../contract/logger.ts';
import { redact } from '../../logging/redact.ts';

const CAPACITY = 10_240;
/** Beyond this many characters the oldest records go, however few they are. */
const MOST_CHARACTERS = 8 * 1024 * 1024;
const LONGEST = 4_000;

export type RingLevel = 'debug' | 'info' | 'warn' | 'error';
const LEVELS: readonly RingLevel[] = ['debug', 'info', 'warn', 'error'];
const SHOWN: Readonly<Record<RingLevel, string>> = { debug: 'DEBUG', info: 'INFO', warn: 'WARNING', error: 'ERROR' };

interface LogRecord {
  level: RingLevel;
  line: string;
}

export interface LogRing {
  /** Writes to the ring, whatever its level, and to the log behind it. */
  readonly log: Logger;
  /**
   * The newest `count` lines that are at least as severe and contain `keyword`, oldest first.
   * @param lowest null = no line is severe enough
   */
  last(count: number, lowest: RingLevel | null, keyword: string): string[];
}

/** The panel's log in memory: what its pages show. Secrets are redacted and every record is one line. */
export function createLogRing(behind: Logger, clock: () => number): LogRing {
  const records: LogRecord[] = [];
  let first = 0;
  let characters = 0;

  function add(level: RingLevel, event: string, fields: Record<string, unknown> | undefined): void {
    const line = `${localTime(new Date(clock()))} ${SHOWN[level]} - ${messageOf(event, fields)}`;
    records.push({ level, line });
    characters += line.length;
    while (records.length - first > CAPACITY || characters > MOST_CHARACTERS) {
      characters -= records[first]!.line.length;
      first += 1;
    }
    // Cheap on average: the dropped half is moved once.
    if (first > CAPACITY) {
      records.splice(0, first);
      first = 0;
    }
  }
  const at =
    (level: RingLevel) =>
    (event: string, fields?: Record<string, unknown>): void => {
      add(level, event, fields);
      behind[level](event, fields);
    };

  return {
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    last(count, lowest, keyword) {
      const found: string[] = [];
      if (lowest === null) return found;
      const least = LEVELS.indexOf(lowest);
      for (let index = records.length - 1; index >= first && found.length < count; index--) {
        const { level, line } = records[index]!;
        if (LEVELS.indexOf(level) >= least && line.includes(keyword)) found.push(line);
      }
      return found.toReversed();
    },
  };
}

/** Output of the core as it said it; everything else as its event with the fields. */
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

/** `2006/01/02 15:04:05` in the zone of the machine. */
function localTime(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}/${two(date.getMonth() + 1)}/${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
