import type { TFunction } from 'i18next';
import type { JournalEntry } from '#contract/journal';

/** Who made the change, with the IP address. */
export function actorWords(t: TFunction<['journal', 'shell']>, entry: JournalEntry): string {
  const { actor, name, address } = entry;
  const who = name === '' || actor === 'admin' ? name || t(`actor.${actor}`) : `${t(`actor.${actor}`)}: ${name}`;
  return address === '' || actor === 'bot' ? who : `${who} · ${address}`;
}
