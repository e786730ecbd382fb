import type { PanelCard } from '../../bridge/panels.ts';
import type { Texts } from '../../texts/en.ts';
import { fill } from '../../texts/texts.ts';
import type { WatchNotice } from './notices.ts';

/** For every panel, this computer's too: only this process knows these facts. */
export function maintenanceChanges(before: PanelCard, now: PanelCard, texts: Texts, name: string): WatchNotice[] {
  const { id: panelId } = now;
  const notices: WatchNotice[] = [];
  if (before.maintenance === undefined || now.maintenance === undefined) return notices;
  const failure = now.maintenance.backupFailure;
  if (failure !== null && before.maintenance.backupFailure === null) {
    const title = fill(texts.copyFailed, { name });
    notices.push({ kind: 'backup', panelId, title, body: failure.words, path: '/desktop/home/backups' });
  }
  if (now.state !== 'ok') return notices;
  const had = new Set(before.maintenance.reachability?.blocked);
  const fresh = (now.maintenance.reachability?.blocked ?? []).filter((inbound) => !had.has(inbound));
  const path = `/desktop/home/vantage?panel=${encodeURIComponent(panelId)}`;
  const title = fill(texts.vantageBlocked, { name });
  if (fresh.length > 0) notices.push({ kind: 'vantage', panelId, title, body: fresh.join(', '), path });
  return notices;
}

/** What the core's state and its restarts report. */
export function coreChanges(
  { machine: before }: PanelCard,
  { id, machine: now }: PanelCard,
  texts: Texts,
  name: string,
): WatchNotice[] {
  if (before === null || now === null) return [];
  const hasFailed = now.coreState === 'error' && before.coreState !== 'error';
  const isRestarted = (now.coreRestarts ?? 0) > (before.coreRestarts ?? 0) && before.coreRestarts !== null;
  if (!hasFailed && !isRestarted) return [];
  const title = fill(texts.panelCore, { name });
  return [{ kind: 'core', panelId: id, title, body: now.coreError, path: '/panel/core/state' }];
}

/** Certificates and quotas: what the newest reading found that the one before did not. */
export function findingChanges(before: PanelCard, now: PanelCard, texts: Texts, name: string): WatchNotice[] {
  const { id: panelId } = now;
  const notices: WatchNotice[] = [];
  const had = new Set(before.matters.map(({ kind, name: what }) => `${kind} ${what}`));
  // Findings of the first reading are old.
  const isFirst = before.readAtMs === 0 || before.inbounds === null;
  const fresh = isFirst ? [] : now.matters.filter(({ kind, name: what }) => !had.has(`${kind} ${what}`));
  for (const { kind, name: what, words } of fresh) {
    if (kind === 'certificateEnded' || kind === 'certificateEnding') {
      const title = fill(texts[kind], { name });
      notices.push({ kind: 'certificate', panelId, title, body: words || what, path: '/panel' });
    }
    if (kind === 'inboundQuota') {
      const title = fill(texts.inboundQuota, { name });
      notices.push({ kind: 'quota', panelId, title, body: what, path: '/panel/inbounds' });
    }
  }
  const [depletedBefore, depleted] = [before.clients?.depleted ?? null, now.clients?.depleted ?? null];
  if (depletedBefore !== null && depleted !== null && depleted > depletedBefore) {
    const title = fill(texts.clientsDepleted, { name, count: depleted - depletedBefore });
    notices.push({ kind: 'quota', panelId, title, body: '', path: '/panel/clients?status=depleted' });
  }
  return notices;
}
