import type { PanelInventory, StoredClientPage } from '../bridge/panels.ts';
import type { PanelsRequests } from './messages.ts';
import type { ReadPanel } from './read-panel.ts';
import { fold } from './search/key-texts.ts';
import { searchPanels } from './search/search.ts';
import type { KeptPanel } from './store/kept-panel.ts';

/** The page is drawn before its data is indexed; an earlier search starts the indexing. */
const KEYS_AFTER_MS = 3_000;

interface StoredReadingsDeps {
  panels: ReadonlyMap<string, ReadPanel>;
  keptOf: (id: string) => KeptPanel;
  monotonic: () => number;
}

/** Answers from the stored readings of panels and their search index, without a call to a panel. */
export function createStoredReadings({ panels, keptOf, monotonic }: StoredReadingsDeps) {
  let loading: NodeJS.Timeout | undefined;

  async function loadKeys(): Promise<void> {
    clearTimeout(loading);
    loading = undefined;
    await Promise.all([...panels.values()].map((panel) => panel.loadKeys()));
  }

  async function search(text: string): Promise<PanelsRequests['search']['result']> {
    await loadKeys();
    return searchPanels(new Map([...panels].map(([id, panel]) => [id, panel.keys()])), text, monotonic);
  }

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
    /** Indexes the stored clients of all panels soon. */
    loadKeysSoon(): void {
      loading ??= setTimeout(() => void loadKeys(), KEYS_AFTER_MS);
    },
    search,
    inventory,
    clients,
    close: (): void => clearTimeout(loading),
  };
}
