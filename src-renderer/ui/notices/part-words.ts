import type { TFunction } from 'i18next';
import type { JournalPart } from '#contract/journal';

type Words = TFunction<['journal', 'shell']>;

/** "3 clients deleted: a, b, c". @param isAhead worded as a future change */
export function partWords(t: Words, { kind, action, count, names }: JournalPart, isAhead = false): string {
  const what = t(`kind.${kind}`, { count });
  const said = isAhead ? t(`ahead.${action}`, { what }) : t(`action.${action}`, { what });
  if (names.length === 0) return said;
  const list = names.map((name) => `\u2068${name}\u2069`).join(', ');
  return count > names.length
    ? t('namedMore', { said, list, count: count - names.length })
    : t('named', { said, list });
}
