import { parseJsonObject } from '../../contract/json-text.ts';
import type { StoredEvent } from './channel.ts';
import { en, type EventWords, type LanguageWords } from './words/en.ts';
import { fa } from './words/fa.ts';
import { REASONS } from './words/reasons.ts';
import { ru } from './words/ru.ts';
import { zh } from './words/zh.ts';

const WORDS = { en, fa, ru, zh };
export type EventLanguage = keyof typeof WORDS;
export const EVENT_LANGUAGES = Object.keys(WORDS) as EventLanguage[];

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
/** Error texts of peers may be long; a title and a line may not. */
const MAX_CHARACTERS = 300;

/** The language of a tag such as `fa-IR`; English if unknown. */
export function eventLanguage(tag: string): EventLanguage {
  const [code = ''] = tag.toLowerCase().split('-');
  return code in WORDS ? (code as EventLanguage) : 'en';
}

export const wordsIn = (language: string): LanguageWords => WORDS[eventLanguage(language)];

/**
 * The text of an event: plain, one fact per line. Names and peers' texts are inserted verbatim, minus control
 * characters; in a language that runs right to left between marks that keep their own direction.
 * @param zone the setting `timeLocation`: times are shown in the panel's time zone
 */
export function eventText(
  { kind, facts: stored }: Pick<StoredEvent, 'kind' | 'facts'>,
  language: string,
  zone: string,
): { title: string; body: string } {
  const code = eventLanguage(language);
  const words = WORDS[code];
  const format = formatIn(code, zone);
  const facts = withReason(stored, REASONS[code] ?? {}, format);
  const own: EventWords = kind === 'login.attempt' && facts['ok'] === true ? words.loginDone : words.kinds[kind];
  const count = Number(facts['count'] ?? 1);
  if (count > 1) return { title: filled(own.many, facts, format), body: namesOf(facts, count, words, format) };
  const lines = own.lines.filter((line) => namesIn(line).every((name) => hasValue(facts[name])));
  return {
    title: filled(own.title, facts, format),
    body: lines.map((line) => filled(line, facts, format)).join('\n'),
  };
}

/** When an event happened. */
export const eventTime = (atMs: number, language: string, zone: string): string =>
  formatIn(eventLanguage(language), zone).dateTime(atMs);

/**
 * Facts with the reason in the language of the text, where it has a translation. Its parameters are facts, or in
 * `errorParams` where facts have the same names.
 */
function withReason(
  facts: StoredEvent['facts'],
  reasons: Readonly<Record<string, string>>,
  format: Format,
): StoredEvent['facts'] {
  const error = reasons[String(facts['errorCode'])];
  const reason = reasons[String(facts['reason'])];
  const params = parseJsonObject(String(facts['errorParams'] ?? '')) as StoredEvent['facts'] | null;
  const clean = cleaned(facts);
  return {
    ...clean,
    ...(error !== undefined && { error: filled(error, { ...clean, ...cleaned(params ?? {}) }, format) }),
    ...(reason !== undefined && { reason }),
  };
}

function namesOf(facts: StoredEvent['facts'], count: number, words: LanguageWords, format: Format): string {
  const names = String(facts['names'] ?? '');
  if (names === '') return '';
  const more = count - Number(facts['named'] ?? count);
  return more > 0 ? `${names}\n${filled(words.andMore, { count: more }, format)}` : names;
}

type Format = ReturnType<typeof formatIn>;

function formatIn(code: EventLanguage, zone: string) {
  const locale = code === 'fa' ? 'fa-IR-u-ca-persian' : code;
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return {
    /** Neither the direction of a value nor its first letter counts for the sentence around it. */
    apart: (text: string) => (code === 'fa' ? `\u2068${text}\u2069` : text),
    number: (value: number) => number.format(value),
    percent: (value: number) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(value / 100),
    dateTime: (ms: number) =>
      new Intl.DateTimeFormat(locale, {
        dateStyle: 'medium',
        timeStyle: 'short',
        ...(zone === 'Local' ? {} : { timeZone: zone }),
      }).format(ms),
    bytes(value: number) {
      const step = value < 1024 ? 0 : Math.min(Math.floor(Math.log2(value) / 10), BYTE_UNITS.length - 1);
      return `${number.format(value / 1024 ** step)} ${BYTE_UNITS[step]}`;
    },
  };
}

const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== '' && value !== 0;
const namesIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** One pass: placeholders inside a name are not filled in. */
function filled(text: string, facts: StoredEvent['facts'], format: Format): string {
  return text.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = facts[name];
    if (typeof value !== 'number') return format.apart(String(value ?? ''));
    if (name.endsWith('AtMs')) return format.dateTime(value);
    if (name.endsWith('Bytes')) return format.apart(format.bytes(value));
    return name === 'percent' ? format.percent(value) : format.number(value);
  });
}

const cleaned = (facts: StoredEvent['facts']): StoredEvent['facts'] =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, typeof value === 'string' ? plain(value) : value]),
  );

/** On one line, without characters that affect a terminal, a header or text direction. */
function plain(text: string): string {
  const clean = text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .toWellFormed()
    .trim();
  return clean.length > MAX_CHARACTERS ? `${clean.slice(0, MAX_CHARACTERS).toWellFormed()}…` : clean;
}
