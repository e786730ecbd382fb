import type { DomainError } from '../../../contract/domain-error.ts';
import { ENGLISH, type BotWord, type BotWords } from './en.ts';
import { PERSIAN } from './fa.ts';
import { REFUSALS } from './refusals.ts';
import { RUSSIAN } from './ru.ts';
import { CHINESE } from './zh.ts';

export type { BotWord } from './en.ts';

const WORDS: Readonly<Record<string, BotWords>> = { en: ENGLISH, fa: PERSIAN, ru: RUSSIAN, zh: CHINESE };

/** What stands in the place of a name of a text. */
export type Params = Readonly<Record<string, string | number>>;
/** A text in the markup of messages, what fills it in escaped. */
export type Say = (word: BotWord, params?: Params) => string;

/** Text that stands as it is in a message of HTML markup. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function filled(text: string, params: Params, write: (value: string) => string): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (name in params ? write(String(params[name])) : whole));
}

/** The language of a tag such as `fa-IR`; English when there are no words in it. */
export function languageOf(tag: string): string {
  const language = tag.slice(0, 2).toLowerCase();
  return Object.hasOwn(WORDS, language) ? language : 'en';
}

/** Texts of messages, in HTML markup: nothing that fills one in can be markup. */
export function createSay(language: string): Say {
  const words = WORDS[language] ?? ENGLISH;
  return (word, params = {}) => filled(words[word], params, escapeHtml);
}

/** Texts of buttons and short notices, which have no markup. */
export function createLabel(language: string): Say {
  const words = WORDS[language] ?? ENGLISH;
  return (word, params = {}) => filled(words[word], params, (value) => value);
}

/** Refusals of the panel in this language, and in English where there are no words for them. */
export function createRefusal<E extends Pick<DomainError, 'code' | 'params'>>(
  language: string,
  english: (error: E) => string,
): (error: E) => string {
  const words = REFUSALS[language] ?? {};
  return (error) => {
    const text = words[error.code];
    return text === undefined ? english(error) : filled(text, error.params, (value) => value);
  };
}
