import { describe, expect, it } from 'vitest';
import { parseSize, sizeText } from './byte-size.ts';

const KIB = 1024;
const MIB = KIB ** 2;
const GIB = KIB ** 3;
const TIB = KIB ** 4;

describe('a typed size', () => {
  it.each([
    ['500 MB', 500 * MIB],
    ['500mb', 500 * MIB],
    ['500 MiB', 500 * MIB],
    ['1.5 TB', 1.5 * TIB],
    ['1,5 GB', 1.5 * GIB],
    ['1,25', 1.25 * GIB],
    [' 20 ', 20 * GIB],
    ['0', 0],
    ['.5g', 0.5 * GIB],
    ['700 K', 700 * KIB],
    ['12 B', 12],
    ['-2 GB', -2 * GIB],
    ['1,5 ГБ', 1.5 * GIB],
    ['300 МиБ', 300 * MIB],
    ['۵۰۰ مگابایت', 500 * MIB],
    ['۱٫۵ گیگ', 1.5 * GIB],
    ['５００ＭＢ', 500 * MIB],
  ])('%s', (text, bytes) => {
    expect(parseSize(text, 'GiB')).toBe(bytes);
  });

  it.each(['', 'many', '5 apples', '1,500 MB', '1.2.3', '1 000', '5 Mbit', '1e3', '10 GB each', '--1'])(
    'is refused when it cannot be told: %j',
    (text) => {
      expect(parseSize(text, 'GiB')).toBeNull();
    },
  );

  it('without a unit is in the unit shown', () => {
    expect(parseSize('64', 'KiB')).toBe(64 * KIB);
    expect(parseSize('64', 'B')).toBe(64);
  });
});

describe('a size shown as text', () => {
  it.each([
    [0, '0 B'],
    [500 * MIB, '500 MiB'],
    [1.5 * TIB, '1.5 TiB'],
    [-GIB, '-1 GiB'],
    [3 * GIB + 1, '3221225473 B'],
    [2_049, '2.001 KiB'],
  ])('%d', (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
    expect(parseSize(text, 'GiB')).toBe(bytes);
  });
});
