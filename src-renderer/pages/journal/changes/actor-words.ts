import type { TFunction } from 'i18next';
import type { JournalEntry } from '#contract/journal';

/** Who it was, with the address it came from. */
export function actorWords(t: TFunction<['journal', 'shell']>, entry: JournalEntry): string {
  const { actor, name, address } = entry;
  const who = name === '' || actor === 'admin' ? name || t(`actor.${actor}`) : `${t(`actor.${actor}`)}: ${name}`;
  return address === '' || actor === 'bot' ? who : `${who} · ${address}`;
}
