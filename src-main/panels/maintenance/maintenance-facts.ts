import type { MaintenanceFacts } from '../../bridge/maintenance.ts';
import type { PanelCard, PanelMatter } from '../../bridge/panels.ts';

/** A panel with this computer's own data on it. @param maintenance null: unknown yet */
export function withMaintenance(card: PanelCard, maintenance: MaintenanceFacts | null): PanelCard {
  if (maintenance === null) return card;
  const matters: PanelMatter[] = [...card.matters];
  const { backupFailure, reachability } = maintenance;
  if (backupFailure !== null)
    matters.push({ kind: 'copyFailed', name: '', value: backupFailure.atMs, words: backupFailure.words });
  // When the panel itself is down, unreachable inbounds are no news.
  if (card.state === 'ok')
    for (const name of reachability?.blocked ?? [])
      matters.push({ kind: 'vantageBlocked', name, value: reachability?.atMs ?? 0, words: '' });
  return { ...card, maintenance, matters };
}
