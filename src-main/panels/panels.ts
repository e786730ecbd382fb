import type { PanelCard, PanelInventory, StoredClientPage } from '../bridge/panels.ts';
import type { PanelTarget, Question, Questions, ReadMode, Verb } from './messages.ts';
import { idOf, readPanel, type ReadPanel } from './read-panel.ts';
import { createTurns } from './reading/turns.ts';
import { fold } from './search/key-texts.ts';
import { searchPanels } from './search/search.ts';
import { keptPanel } from './store/kept-panel.ts';
import type { SealedStore } from './store/sealed-store.ts';
import { createJobs } from './jobs/jobs.ts';
import { openTransferNotes, type TransferNotes } from './transfer/transfer-notes.ts';

/** Cards are sent together: a burst of readings is one message, and a steady stream is one per second. */
const TELL_AFTER_MS = 250;
const TELL_EVERY_MS = 1_000;
/** The page is drawn before its data is indexed; an earlier search starts the indexing. */
const KEYS_AFTER_MS = 3_000;
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
  const told = new Map<string, string>();
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
  let telling: NodeJS.Timeout | undefined;
  let loading: NodeJS.Timeout | undefined;
  let sentMs = Number.NEGATIVE_INFINITY;

  function tell(): void {
    telling ??= setTimeout(
      () => {
        telling = undefined;
        sentMs = monotonic();
        const cards = [...panels.values()].map((panel) => panel.card());
        const changed = cards.filter((card) => told.get(card.id) !== JSON.stringify(card));
        for (const card of changed) told.set(card.id, JSON.stringify(card));
        if (changed.length > 0) onCards(changed);
      },
      Math.max(TELL_AFTER_MS, sentMs + TELL_EVERY_MS - monotonic()),
    );
  }

  const keepAll = (): void => {
    for (const panel of panels.values()) panel.keep();
  };
  const keeping = setInterval(keepAll, KEEP_EVERY_MS);

  async function loadKeys(): Promise<void> {
    clearTimeout(loading);
    loading = undefined;
    await Promise.all([...panels.values()].map((panel) => panel.loadKeys()));
  }

  async function search(text: string): Promise<Questions['search']['answer']> {
    await loadKeys();
    return searchPanels(new Map([...panels].map(([id, panel]) => [id, panel.keys()])), text, monotonic);
  }

  const keptOf = (id: string) => keptPanel(store, id);

  function inventory(id: string): PanelInventory {
    const kept = keptOf(id);
    const { count, readAtMs } = kept.clientsHead();
    return { ...kept.lists(), clientCount: count, clientsReadAtMs: readAtMs };
  }

  async function clients({
    id,
    text,
    offset,
    limit,
  }: {
    id: string;
    text: string;
    offset: number;
    limit: number;
  }): Promise<StoredClientPage> {
    const kept = keptOf(id);
    const { count } = kept.clientsHead();
    const wanted = fold(text.trim());
    if (wanted !== '') await panels.get(id)?.loadKeys();
    const numbers =
      wanted === ''
        ? Array.from({ length: Math.max(0, Math.min(limit, count - offset)) }, (_, index) => offset + index)
        : (panels.get(id)?.keys().clients.find(wanted, count) ?? []).map(({ at }) => at);
    if (wanted === '') return { clients: kept.clientsAt(numbers), found: count };
    return { clients: kept.clientsAt(numbers.slice(offset, offset + limit)), found: numbers.length };
  }

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
        const panel = readPanel(target, delayMs, { kept: keptOf(id), clock, monotonic, inTurn, onChange: tell });
        panels.set(id, panel);
        panel.setMode(mode);
      }
      for (const [id, panel] of panels) {
        if (ids.has(id)) continue;
        panel.close();
        panels.delete(id);
        named.delete(id);
        told.delete(id);
      }
      for (const id of store.panels()) if (!ids.has(id)) store.forget(id);
      loading ??= setTimeout(() => void loadKeys(), KEYS_AFTER_MS);
      tell();
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
    answer(question: Question): Questions[Verb]['answer'] | Promise<Questions[Verb]['answer']> {
      switch (question.verb) {
        case 'search':
          return search(question.ask);
        case 'inventory':
          return inventory(question.ask);
        case 'clients':
          return clients(question.ask);
        case 'cards':
          return [...panels.values()].map((panel) => panel.card());
        default:
          return jobs.answer(question) as Questions[Verb]['answer'];
      }
    },
    close(): void {
      clearInterval(keeping);
      clearTimeout(telling);
      clearTimeout(loading);
      keepAll();
      for (const panel of panels.values()) panel.close();
      store.close();
    },
  };
}
export type Panels = ReturnType<typeof createPanels>;
