import type { HereFacts } from '../../bridge/here.ts';
import type { PanelCard, PanelMatter } from '../../bridge/panels.ts';

/** A panel with what this computer knows of it. @param here null: not known yet */
export function withHere(card: PanelCard, here: HereFacts | null): PanelCard {
  if (here === null) return card;
  const matters: PanelMatter[] = [...card.matters];
  const { backupFailure, vantage } = here;
  if (backupFailure !== null)
    matters.push({ kind: 'copyFailed', name: '', value: backupFailure.atMs, words: backupFailure.words });
  // Of a panel that is away itself nothing else was to be expected.
  if (card.state === 'ok')
    for (const name of vantage?.blocked ?? [])
      matters.push({ kind: 'vantageBlocked', name, value: vantage?.atMs ?? 0, words: '' });
  return { ...card, here, matters };
}
