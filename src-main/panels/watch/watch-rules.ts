import type { PanelCard, PanelsChoices } from '../../bridge/panels.ts';
import type { Texts } from '../../texts/en.ts';
import { fill } from '../../texts/texts.ts';
import { createNotices, type WatchNotice } from './notices.ts';
import { coreChanges, findingChanges, maintenanceChanges } from './panel-changes.ts';

/** Panels that go down within this time are grouped: usually this computer lost its network. */
const GATHER_MS = 5_000;
/** Once one of them is back, all are asked again within this time: what is still away then is so by itself. */
const REST_MS = 90_000;

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
  /** Those of them that one notification reported together. */
  let together = new Set<string>();
  const isReportedAway = (id: string): boolean => (id === '' ? together.size > 0 : away.has(id));
  const notices = createNotices({ choices, clock, isAway: isReportedAway, tell });
  /** @param panelId empty: all panels */
  const sayState = (panelId: string, title: string, body: string, path: string): void =>
    notices.say({ kind: 'down', panelId, title, body, path });
  const name = (id: string) => ({ name: nameOf(id) });

  function gather(): void {
    const all = remotes();
    const gone = [...going].filter(([id]) => all.includes(id));
    going.clear();
    for (const [id] of gone) away.add(id);
    if (gone.length > 1 && all.every((id) => away.has(id))) {
      together = new Set(gone.map(([id]) => id));
      sayState('', texts().allPanelsDown, texts().allPanelsDownDetail, '');
      return;
    }
    for (const [id, before] of gone) sayState(id, fill(texts().panelDown, name(id)), served(before, texts()), '/panel');
  }

  /** Some of those that went down together are back, and the others are not. */
  function tellRest(): void {
    const saved = remotes();
    const rest = [...together].filter((id) => saved.includes(id));
    together = new Set();
    notices.dropHeld('');
    for (const id of rest) sayState(id, fill(texts().panelDown, name(id)), '', '/panel');
  }

  function isBack(id: string): void {
    if (!together.delete(id)) {
      if (!notices.dropHeld(id)) sayState(id, fill(texts().panelBack, name(id)), '', '/panel');
      return;
    }
    const saved = remotes();
    for (const other of together) if (!saved.includes(other)) together.delete(other);
    const rest = together;
    if (rest.size > 0) return later(REST_MS, () => rest === together && tellRest());
    if (!notices.dropHeld('')) sayState('', texts().allPanelsBack, '', '');
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
    if (away.delete(id)) isBack(id);
    for (const changes of [coreChanges, findingChanges])
      for (const notice of changes(before, now, texts(), nameOf(id))) notices.say(notice);
  }

  return {
    take(cards) {
      for (const card of cards) {
        const before = known.get(card.id);
        known.set(card.id, card);
        if (before === undefined) continue;
        if (card.id !== 'local') compare(before, card);
        for (const notice of maintenanceChanges(before, card, texts(), nameOf(card.id))) notices.say(notice);
      }
      notices.tellHeld();
    },
    /** After sleep: drops outages that are not reported yet; the next reading decides again. */
    forgive() {
      for (const [id, before] of going) known.set(id, before);
      going.clear();
    },
  };
}

/** What a panel was serving at its last reading. */
function served({ inbounds, clients, detail }: PanelCard, texts: Texts): string {
  if (inbounds === null || clients?.online === undefined || clients.online === null) return detail;
  return fill(texts.panelServed, { inbounds: inbounds.on, clients: clients.online });
}
