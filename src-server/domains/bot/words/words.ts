import type { DomainError } from '../../../contract/domain-error.ts';
import { ENGLISH, type BotWord, type BotWords } from './en.ts';
import { PERSIAN } from './fa.ts';
import { REFUSALS } from './refusals.ts';
import { RUSSIAN } from './ru.ts';
import { CHINESE } from './zh.ts';

export type { BotWord } from './en.ts';

const WORDS: Readonly<Record<string, BotWords>> = { en: ENGLISH, fa: PERSIAN, ru: RUSSIAN, zh: CHINESE };

/** A parameter that fills a placeholder of a text. */
export type Params = Readonly<Record<string, string | number>>;
/** A message text with markup; its parameters are escaped. */
export type Say = (word: BotWord, params?: Params) => string;

/** Escapes text for a message with HTML markup. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function filled(text: string, params: Params, write: (value: string, name: string) => string): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    name in params ? write(String(params[name]), name) : whole,
  );
}

/** What is copied from a message, opened or stands on lines of its own. */
const ALONE = new Set(['id', 'link', 'list']);

/** In a text that runs right to left a name or an amount keeps its own direction. */
const apartIn =
  (language: string) =>
  (value: string, name: string): string =>
    language === 'fa' && !ALONE.has(name) ? `\u2068${value}\u2069` : value;

/** The language of a tag such as `fa-IR`; English when it has no translation. */
export function languageOf(tag: string): string {
  const language = tag.slice(0, 2).toLowerCase();
  return Object.hasOwn(WORDS, language) ? language : 'en';
}

/** Texts of messages, in HTML markup: parameters are escaped and cannot add markup. */
export function createSay(language: string): Say {
  const words = WORDS[language] ?? ENGLISH;
  const apart = apartIn(language);
  return (word, params = {}) => filled(words[word], params, (value, name) => apart(escapeHtml(value), name));
}

/** Texts of buttons and short notices, without markup. */
export function createLabel(language: string): Say {
  const words = WORDS[language] ?? ENGLISH;
  return (word, params = {}) => filled(words[word], params, apartIn(language));
}

/** Refusals of the panel in this language, or in English where there is no translation. */
export function createRefusal<E extends Pick<DomainError, 'code' | 'params'>>(
  language: string,
  english: (error: E) => string,
): (error: E) => string {
  const words = REFUSALS[language] ?? {};
  return (error) => {
    const text = words[error.code];
    return text === undefined ? english(error) : filled(text, error.params, apartIn(language));
  };
}
