import type { TFunction } from 'i18next';

/** Name of the panel that serves a client: this one, a node, or the start of an unknown panel's id. */
export function placeName(
  { guid, place, isHere }: { guid: string; place: string; isHere: boolean },
  t: TFunction<'sessions'>,
): string {
  return isHere ? t('here') : place || guid.slice(0, 8);
}
