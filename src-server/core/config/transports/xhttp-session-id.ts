import type { JsonObject } from '../source.ts';
import { textOf } from '../json-access.ts';
import { rangeOf } from '../rules/field-rules.ts';
import { refuse, type Report } from '../rules/finding.ts';

/** Number of characters behind each name; any other text is the table itself. */
const TABLE_SIZES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ALPHABET: 26,
    Alphabet: 52,
    alphabet: 26,
    BASE36: 36,
    base36: 36,
    Base62: 62,
    HEX: 16,
    hex: 16,
    number: 10,
  }),
);

const SMALLEST_SPACE = 2 ** 31;

/** Session ids must not collide: the core requires table size to the power of the shortest length to reach 2^31. */
export function checkSessionId(value: JsonObject, where: string, report: Report): void {
  const table = textOf(value['sessionIDTable']);
  if (table === '') return;
  if (/[^\u0020-\u007e]/.test(table)) {
    refuse(report, `${where}.sessionIDTable`, 'config.ascii');
    return;
  }
  const shortest = rangeOf(value['sessionIDLength'])?.from ?? 0;
  const characters = TABLE_SIZES.get(table) ?? table.length;
  if (shortest <= 0 || characters ** shortest < SMALLEST_SPACE)
    refuse(report, `${where}.sessionIDLength`, 'config.sessionIdLength');
}
