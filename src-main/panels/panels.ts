import type { PanelCard } from '../bridge/panels.ts';
import { createCardSender } from './card-sender.ts';
import type { PanelTarget, PanelsRequest, PanelsRequests, ReadMode, Verb } from './messages.ts';
import { idOf, readPanel, type ReadPanel } from './read-panel.ts';
import { createTurns } from './reading/turns.ts';
import { keptPanel } from './store/kept-panel.ts';
import type { SealedStore } from './store/sealed-store.ts';
import { createStoredReadings } from './stored-readings.ts';
import { createJobs } from './jobs/jobs.ts';
import { openTransferNotes, type TransferNotes } from './transfer/transfer-notes.ts';

/** How often figures are stored; readings that change every few seconds need not reach the disk each time. */
const KEEP_EVERY_MS = 60_000;
/** Period over which the first readings of panels are spread. */
const SPREAD_MS = 4_000;
/** How many panels have all of their clients read at the same time. */
const LARGE_READINGS = 2;

interface PanelsDeps {
  store: SealedStore;
  /** Whether the store outlives the application. */
  isKept?: boolean;
  /** Notes of transfers, for a store that does not outlive the application. */
  notes?: TransferNotes;
  onCards: (cards: PanelCard[]) => void;
  onBusy?: (isBusy: boolean) => void;
  /** Pulls a backup of a panel to this computer. @throws {Error} */
  backUp?: (panelId: string) => Promise<void>;
  clock: () => number;
  monotonic: () => number;
}

/** All panels of the window: read, kept, searched. */
export function createPanels({ store, isKept = true, notes, onCards, onBusy, backUp, clock, monotonic }: PanelsDeps) {
  const panels = new Map<string, ReadPanel>();
  const inTurn = createTurns(LARGE_READINGS);
  const named = new Map<string, PanelTarget>();
  const jobs = createJobs({
    store,
    isKept,
    notes: notes ?? openTransferNotes(null),
    targetOf: (id) => named.get(id),
    onBusy: onBusy ?? (() => undefined),
    backUp: backUp ?? (() => Promise.reject(new Error('nothing pulls backups'))),
    clock,
  });
  let mode: ReadMode = 'off';
  const cards = (): PanelCard[] => [...panels.values()].map((panel) => panel.card());
  const sender = createCardSender({ cards, onCards, monotonic });
  const keptOf = (id: string) => keptPanel(store, id);
  const stored = createStoredReadings({ panels, keptOf, monotonic });

  const keepAll = (): void => {
    for (const panel of panels.values()) panel.keep();
  };
  const keeping = setInterval(keepAll, KEEP_EVERY_MS);

  return {
    /** Reads these panels from now on; stored data of others is deleted. */
    setTargets(targets: readonly PanelTarget[]): void {
      const ids = new Set(targets.map(idOf));
      for (const [index, target] of targets.entries()) {
        const id = idOf(target);
        named.set(id, target);
        const before = panels.get(id);
        if (before?.isSame(target) === true) continue;
        before?.keep();
        before?.close();
        const delayMs = Math.round((index * SPREAD_MS) / targets.length);
        const panel = readPanel(target, delayMs, {
          kept: keptOf(id),
          clock,
          monotonic,
          inTurn,
          onChange: () => sender.tell(),
        });
        panels.set(id, panel);
        panel.setMode(mode);
      }
      for (const [id, panel] of panels) {
        if (ids.has(id)) continue;
        panel.close();
        panels.delete(id);
        named.delete(id);
        sender.forget(id);
      }
      for (const id of store.panels()) if (!ids.has(id)) store.forget(id);
      stored.loadKeysSoon();
      sender.tell();
      jobs.settle();
    },
    setMode(next: ReadMode): void {
      mode = next;
      for (const panel of panels.values()) panel.setMode(next);
    },
    refresh: (id: string): void => panels.get(id)?.refresh(),
    wake(): void {
      for (const panel of panels.values()) panel.wake();
    },
    handle(request: PanelsRequest): PanelsRequests[Verb]['result'] | Promise<PanelsRequests[Verb]['result']> {
      switch (request.verb) {
        case 'search':
          return stored.search(request.params);
        case 'inventory':
          return stored.inventory(request.params);
        case 'clients':
          return stored.clients(request.params);
        case 'cards':
          return cards();
        default:
          return jobs.handle(request) as PanelsRequests[Verb]['result'];
      }
    },
    close(): void {
      clearInterval(keeping);
      sender.close();
      stored.close();
      keepAll();
      for (const panel of panels.values()) panel.close();
      store.close();
    },
  };
}
export type Panels = ReturnType<typeof createPanels>;
