import type { TFunction } from 'i18next';

/** What the panel that serves a client is called: this one, a node, or the first letters of one that has no name here. */
export function placeName(
  { guid, place, isHere }: { guid: string; place: string; isHere: boolean },
  t: TFunction<'sessions'>,
): string {
  return isHere ? t('here') : place || guid.slice(0, 8);
}
