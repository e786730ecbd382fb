import type { PanelCard, PanelsChoices, WatchKind } from '../../bridge/panels.ts';
import type { Texts } from '../../texts/en.ts';
import { fill } from '../../texts/texts.ts';

/** Panels that go down within this time are grouped: usually this computer lost its network. */
const GATHER_MS = 5_000;

/** A notification about a panel; a click opens it there. */
export interface WatchNotice {
  kind: WatchKind;
  /** Empty: all panels. */
  panelId: string;
  title: string;
  body: string;
  /** Page of the panel. */
  path: string;
}

interface WatchDeps {
  texts: () => Texts;
  nameOf: (id: string) => string;
  choices: () => PanelsChoices;
  clock: () => number;
  /** Calls back after some time. */
  later: (ms: number, work: () => void) => void;
  /** Ids of the remote panels. */
  remotes: () => readonly string[];
  tell: (notice: WatchNotice) => void;
}

const isAway = ({ state }: PanelCard): boolean => state === 'down' || state === 'wrong' || state === 'untrusted';

/**
 * Compares each card with the one before and reports the changes, once. This computer's panel reports its own.
 */
export function createWatch(deps: WatchDeps): { take(cards: readonly PanelCard[]): void; forgive(): void } {
  const { texts, nameOf, choices, clock, later, remotes, tell } = deps;
  const known = new Map<string, PanelCard>();
  /** Panels reported as down. */
  const away = new Set<string>();
  /** Panels that went down and are not reported yet, with their last good card. */
  const going = new Map<string, PanelCard>();
  /** Panels that went down in quiet hours: reported afterwards, if they are still down. */
  const held = new Map<string, WatchNotice>();
  let isAllReported = false;

  function say(kind: WatchKind, panelId: string, title: string, body: string, path: string): void {
    const { isWatching, quiet, muted } = choices();
    if (!isWatching || (muted[panelId] ?? []).includes(kind)) return;
    const notice = { kind, panelId, title, body, path };
    if (!isQuiet(quiet, clock())) tell(notice);
    else if (kind === 'down' && away.has(panelId)) held.set(panelId, notice);
  }

  function tellHeld(): void {
    if (held.size === 0 || isQuiet(choices().quiet, clock())) return;
    for (const notice of held.values()) tell(notice);
    held.clear();
  }
  const name = (id: string) => ({ name: nameOf(id) });

  function gather(): void {
    const gone = [...going];
    going.clear();
    for (const [id] of gone) away.add(id);
    const all = remotes();
    if (gone.length > 1 && all.every((id) => away.has(id))) {
      isAllReported = true;
      say('down', '', texts().allPanelsDown, texts().allPanelsDownDetail, '');
      return;
    }
    for (const [id, before] of gone)
      say('down', id, fill(texts().panelDown, name(id)), served(before, texts()), '/panel');
  }

  function compare(before: PanelCard, now: PanelCard): void {
    const { id } = now;
    // Only panels that were up before: those down at the start are shown in the tray.
    if (isAway(now) && before.state === 'ok' && !away.has(id)) {
      going.set(id, before);
      if (going.size === 1) later(GATHER_MS, gather);
    }
    if (now.state !== 'ok') return;
    going.delete(id);
    if (away.delete(id) && !held.delete(id)) {
      const isAllBack = isAllReported && away.size === 0;
      if (isAllBack) say('down', '', texts().allPanelsBack, '', '');
      else if (!isAllReported) say('down', id, fill(texts().panelBack, name(id)), '', '/panel');
      if (isAllBack) isAllReported = false;
    }
    compareCore(before, now);
    compareMatters(before, now);
  }

  /** For every panel, this computer's too: only this process knows these facts. */
  function compareHere(before: PanelCard, now: PanelCard): void {
    const { id } = now;
    if (before.maintenance === undefined || now.maintenance === undefined) return;
    const failure = now.maintenance.backupFailure;
    if (failure !== null && before.maintenance.backupFailure === null)
      say('backup', id, fill(texts().copyFailed, name(id)), failure.words, '/desktop/home/backups');
    if (now.state !== 'ok') return;
    const had = new Set(before.maintenance.reachability?.blocked);
    const fresh = (now.maintenance.reachability?.blocked ?? []).filter((inbound) => !had.has(inbound));
    const path = `/desktop/home/vantage?panel=${encodeURIComponent(id)}`;
    if (fresh.length > 0) say('vantage', id, fill(texts().vantageBlocked, name(id)), fresh.join(', '), path);
  }

  function compareCore({ machine: before }: PanelCard, { id, machine: now }: PanelCard): void {
    if (before === null || now === null) return;
    const hasFailed = now.coreState === 'error' && before.coreState !== 'error';
    const isRestarted = (now.coreRestarts ?? 0) > (before.coreRestarts ?? 0) && before.coreRestarts !== null;
    if (hasFailed || isRestarted)
      say('core', id, fill(texts().panelCore, name(id)), now.coreError, '/panel/core/state');
  }

  function compareMatters(before: PanelCard, now: PanelCard): void {
    const { id } = now;
    const had = new Set(before.matters.map(({ kind, name: what }) => `${kind} ${what}`));
    // Findings of the first reading are old.
    const isFirst = before.readAtMs === 0 || before.inbounds === null;
    const fresh = isFirst ? [] : now.matters.filter(({ kind, name: what }) => !had.has(`${kind} ${what}`));
    for (const { kind, name: what, words } of fresh) {
      if (kind === 'certificateEnded' || kind === 'certificateEnding')
        say('certificate', id, fill(texts()[kind], name(id)), words || what, '/panel');
      if (kind === 'inboundQuota') say('quota', id, fill(texts().inboundQuota, name(id)), what, '/panel/inbounds');
    }
    const [had2, has] = [before.clients?.depleted ?? null, now.clients?.depleted ?? null];
    if (had2 !== null && has !== null && has > had2)
      say(
        'quota',
        id,
        fill(texts().clientsDepleted, { ...name(id), count: has - had2 }),
        '',
        '/panel/clients?status=depleted',
      );
  }

  return {
    take(cards) {
      for (const card of cards) {
        const before = known.get(card.id);
        known.set(card.id, card);
        if (before === undefined) continue;
        if (card.id !== 'local') compare(before, card);
        compareHere(before, card);
      }
      tellHeld();
    },
    /** After sleep: drops outages that are not reported yet; the next reading decides again. */
    forgive: () => going.clear(),
  };
}

/** What a panel was serving at its last reading. */
function served({ inbounds, clients, detail }: PanelCard, texts: Texts): string {
  if (inbounds === null || clients?.online === undefined || clients.online === null) return detail;
  return fill(texts.panelServed, { inbounds: inbounds.on, clients: clients.online });
}

/** @param quiet hours may cross midnight */
export function isQuiet(quiet: PanelsChoices['quiet'], nowMs: number): boolean {
  if (quiet === null) return false;
  const now = new Date(nowMs);
  const minute = now.getHours() * 60 + now.getMinutes();
  const { fromMin, toMin } = quiet;
  return fromMin <= toMin ? minute >= fromMin && minute < toMin : minute >= fromMin || minute < toMin;
}
