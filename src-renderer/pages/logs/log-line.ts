import type { AccessEntry } from '#contract/logs';

export const SOURCES = ['panel', 'core', 'access'] as const;
export type Source = (typeof SOURCES)[number];
export const LEVELS = ['debug', 'info', 'warning', 'error'] as const;
export type Level = (typeof LEVELS)[number];
/** What became of an access, in the order of the wire's numbers. */
export const KINDS = ['direct', 'blocked', 'proxied'] as const;
export type Kind = (typeof KINDS)[number];

/** A line as shown on the page. */
export interface LogLine {
  /** `2026-01-02T15:04:05`; empty where the line has no time. Sorts as text. */
  time: string;
  text: string;
  level: Level | null;
  kind: Kind | null;
}

const HEAD = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d) (DEBUG|INFO|WARNING|ERROR) - /;
/** The mark before the core's output in the panel's log. */
export const CORE_MARK = 'CORE: ';

/** A line of the panel's own log, with times of the server's clock. */
export function readPanelLine(raw: string): LogLine {
  const head = HEAD.exec(raw);
  if (head === null) return { time: '', text: raw, level: null, kind: null };
  const [start, year, month, day, clock, level] = head;
  const text = raw.slice(start.length);
  return {
    time: `${year}-${month}-${day}T${clock}`,
    text: text.startsWith(CORE_MARK) ? text.slice(CORE_MARK.length) : text,
    level: level!.toLowerCase() as Level,
    kind: null,
  };
}

/** An access as one line. @param offsetMinutes of this browser's zone, as `Date.getTimezoneOffset` gives it */
export function readAccess(entry: AccessEntry, offsetMinutes: (ms: number) => number): LogLine {
  const { DateTime, FromAddress, ToAddress, Inbound, Outbound, Email, Event } = entry;
  const ms = DateTime === '' ? Number.NaN : Date.parse(DateTime);
  const way = Outbound === '' ? '' : ` [${Inbound === '' ? '' : `${Inbound} → `}${Outbound}]`;
  return {
    time: Number.isNaN(ms) ? '' : new Date(ms - offsetMinutes(ms) * 60_000).toISOString().slice(0, 19),
    text: `${FromAddress} → ${ToAddress}${way}${Email === '' ? '' : ` ${Email}`}`,
    level: null,
    kind: KINDS[Event] ?? null,
  };
}

/** Index of the first line at or after a moment, `2026-01-02T15:04`; the last line when all are older. */
export function lineAt(lines: readonly LogLine[], moment: string): number {
  const at = lines.findIndex(({ time }) => time !== '' && time >= moment);
  return at < 0 ? lines.length - 1 : at;
}

/** The lines as a text file. */
export function toText(lines: readonly LogLine[]): string {
  return lines
    .map(({ time, level, kind, text }) => [time, level?.toUpperCase() ?? kind ?? '', text].filter(Boolean).join(' '))
    .join('\n');
}
