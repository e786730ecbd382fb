import * as z from 'zod';
import { en, type Texts } from './en.ts';
import { fa } from './fa.ts';
import { ru } from './ru.ts';
import { zh } from './zh.ts';

const LANGUAGES: Readonly<Record<string, Texts>> = { en, fa, ru, zh };
export const LanguageCode = z.enum(['en', 'fa', 'ru', 'zh']);
export type LanguageCode = z.output<typeof LanguageCode>;

/** Texts for a language tag; English if there are none. */
export function textsFor(tag: string): Texts {
  return LANGUAGES[tag.toLowerCase().split(/[-_]/)[0] ?? ''] ?? en;
}

/** A text with its placeholders filled in. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
