import { plainDigits } from './plain-digits.ts';

/** A power of 1024. GB means GiB here, as in the apps' figures and in other panels' quotas. */
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
export type ByteUnit = (typeof UNITS)[number];

export const bytesOf = (unit: ByteUnit): number => 1024 ** UNITS.indexOf(unit);

/** Spellings of a unit in the four languages: `M`, `MB`, `MiB`, `МБ`, `МиБ`, `مگابایت`. */
const SPELLINGS: readonly (readonly [RegExp, ByteUnit])[] = [
  [/^(b|bytes?|б|байт|بایت|字节)$/, 'B'],
  [/^(ki?b?|ки?б?|کیلوبایت)$/, 'KiB'],
  [/^(mi?b?|ми?б?|مگابایت|مگ)$/, 'MiB'],
  [/^(gi?b?|ги?б?|گیگابایت|گیگ)$/, 'GiB'],
  [/^(ti?b?|ти?б?|ترابایت)$/, 'TiB'],
  [/^(pi?b?|пи?б?|پتابایت)$/, 'PiB'],
];
const AMOUNT = /^([-+]?)(\d+(?:[.,]\d*)?|[.,]\d+)\s*(\p{L}*)$/u;
/** `1,500 MB` is ambiguous: one and a half, or fifteen hundred. */
const AMBIGUOUS = /\d,\d{3}(?!\d)/;

/** Turns Persian, Arabic and full-width characters into plain ones; direction marks are removed. */
function plain(text: string): string {
  return plainDigits(text.normalize('NFKC'))
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll('\u066B', '.')
    .replaceAll('\u2212', '-')
    .trim()
    .toLowerCase();
}

/** A typed size in whole bytes; null when it cannot be read. @param unit of a number without one */
export function parseSize(text: string, unit: ByteUnit): number | null {
  const match = AMOUNT.exec(plain(text));
  if (match === null) return null;
  const [, sign, digits = '', letters = ''] = match;
  if (AMBIGUOUS.test(digits)) return null;
  const typed = letters === '' ? unit : SPELLINGS.find(([spelling]) => spelling.test(letters))?.[1];
  if (typed === undefined) return null;
  const bytes = Math.round(Number(digits.replace(',', '.')) * bytesOf(typed));
  return sign === '-' && bytes !== 0 ? -bytes : bytes;
}

const DECIMALS = 3;
/** A larger amount is shown in bytes, which are easier to read then. */
const MAX_OF_UNIT = 1_000_000;

/** A size to the byte, in the largest unit that gives a short text: `1.5 TiB`, `500 MiB`, `3221225473 B`. */
export function sizeText(bytes: number): string {
  const whole = Math.abs(bytes);
  for (const unit of UNITS.toReversed()) {
    const size = bytesOf(unit);
    const amount = Number((whole / size).toFixed(DECIMALS));
    if (amount >= 1 && amount < MAX_OF_UNIT && Math.round(amount * size) === whole)
      return `${bytes < 0 ? '-' : ''}${amount} ${unit}`;
  }
  return `${bytes} B`;
}
