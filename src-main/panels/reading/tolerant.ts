import * as z from 'zod';

/** Longest text of a panel that is stored or shown. */
const MAX_TEXT = 200;
/** Control characters, and those that change the direction of the surrounding text. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** An external text, made safe for lists, menus and notifications. */
export const plainText = (text: string): string =>
  text
    .slice(0, 4 * MAX_TEXT)
    .replaceAll(UNPRINTABLE, ' ')
    .slice(0, MAX_TEXT);

/** Anything but a text counts as none. */
export const Text = z.string().transform(plainText).catch('');
const bounded = (value: number): number => Math.min(Math.max(value, 0), Number.MAX_SAFE_INTEGER);
/** A count or an amount; null when it is not reported. */
export const Figure = z.number().transform(bounded).nullable().catch(null);
/** The same, where a missing value means zero. */
export const Amount = z.number().transform(bounded).catch(0);
/** Negative values have their own meaning. */
export const Moment = z
  .number()
  .transform((value) => Math.min(Math.max(Math.trunc(value), -8.64e15), 8.64e15))
  .catch(0);
export const Percent = z
  .number()
  .transform((value) => Math.min(Math.max(value, 0), 100))
  .nullable()
  .catch(null);
export const Flag = z.boolean().catch(false);

/** A list without its invalid entries. @param most entries */
export function listOf<T extends z.ZodType>(entry: T, most: number) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((rows) =>
      rows.slice(0, most).flatMap((row) => {
        const read = entry.safeParse(row);
        return read.success ? [read.data] : [];
      }),
    );
}

/** Names in a panel's list, or none: other panels write an empty list as null. */
export const Names = z
  .array(z.unknown())
  .catch([])
  .transform((names) => names.length);
