import type { MaintenanceFacts } from '../../bridge/maintenance.ts';
import type { PanelCard, PanelMatter } from '../../bridge/panels.ts';

/** A panel with what this computer knows of it. @param maintenance null: not known yet */
export function withMaintenance(card: PanelCard, maintenance: MaintenanceFacts | null): PanelCard {
  if (maintenance === null) return card;
  const matters: PanelMatter[] = [...card.matters];
  const { backupFailure, reachability } = maintenance;
  if (backupFailure !== null)
    matters.push({ kind: 'copyFailed', name: '', value: backupFailure.atMs, words: backupFailure.words });
  // Of a panel that is away itself nothing else was to be expected.
  if (card.state === 'ok')
    for (const name of reachability?.blocked ?? [])
      matters.push({ kind: 'vantageBlocked', name, value: reachability?.atMs ?? 0, words: '' });
  return { ...card, maintenance, matters };
}
