import { setImmediate } from 'node:timers/promises';
import { localLink, remoteLink, type Link } from '../connections/link.ts';
import type { PanelCard } from '../bridge/panels.ts';
import { cardOf, type Facts } from './reading/facts.ts';
import { createPanelReader } from './reading/panel-reader.ts';
import type { PanelTarget, ReadMode } from './messages.ts';
import { clientKeys, listKeys, NO_KEYS, type PanelKeys } from './search/search.ts';
import { createKeyTexts, startKeyTexts } from './search/key-texts.ts';
import type { KeptPanel } from './store/kept-panel.ts';

/** A loop without a due reading looks again after this time. */
const IDLE_MS = 60_000;
const SHORTEST_WAIT_MS = 50;

interface PanelDeps {
  kept: KeptPanel;
  clock: () => number;
  monotonic: () => number;
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  onChange: () => void;
}

/** One panel: its connection, its reader, and its search index. */
export interface ReadPanel {
  readonly id: string;
  /** Whether this still names the same panel, reached in the same way. */
  isSame(target: PanelTarget): boolean;
  card(): PanelCard;
  keys(): PanelKeys;
  setMode(mode: ReadMode): void;
  refresh(): void;
  wake(): void;
  /** Indexes the stored clients for the search, once. */
  loadKeys(): Promise<void>;
  /** Writes data that is only in memory. */
  keep(): void;
  close(): void;
}

export const idOf = (target: PanelTarget): string => (target.kind === 'local' ? 'local' : target.saved.id);

/** @param delayMs before the first reading, so that not all panels are read at the same moment */
export function readPanel(target: PanelTarget, delayMs: number, deps: PanelDeps): ReadPanel {
  const { kept, clock, onChange } = deps;
  const id = idOf(target);
  let shownEndsAtMs: number | null = null;
  const link = linkTo(target, (endsAtMs) => (shownEndsAtMs = endsAtMs));
  const head = kept.clientsHead();
  let isUnkept = false;
  const keys: PanelKeys = { ...NO_KEYS };
  const reader = createPanelReader({
    ...deps,
    link: link ?? NOWHERE,
    facts: link === null ? stopped(kept.facts(clock()), clock()) : kept.facts(clock()),
    lists: kept.lists(),
    clientsMark: head.mark,
    clientsReadAtMs: head.readAtMs,
    isSession: target.kind === 'remote' && target.saved.signIn === 'session',
    shownEndsAtMs: () => shownEndsAtMs,
    on: {
      facts() {
        isUnkept = true;
        onChange();
      },
      lists(lists) {
        kept.writeLists(lists);
        Object.assign(keys, { lists: listKeys(lists), listsReadAtMs: lists.readAtMs });
        onChange();
      },
      async clients(clients, mark) {
        const readAtMs = clock();
        const texts = startKeyTexts();
        await kept.writeClients(clients, mark, readAtMs, (piece) => {
          for (const client of piece) texts.add(clientKeys(client));
          return !isClosed;
        });
        if (!isClosed) Object.assign(keys, { clients: texts.end(), clientsReadAtMs: readAtMs });
      },
    },
  });
  Object.assign(keys, { lists: listKeys(reader.lists()), listsReadAtMs: reader.lists().readAtMs });
  let mode: ReadMode = 'off';
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;
  let isClosed = false;

  async function round(): Promise<void> {
    if (isReading || isClosed || link === null || mode === 'off') return;
    isReading = true;
    const nextAtMs = await reader.readNext(mode).finally(() => (isReading = false));
    wait(Math.min(Math.max(nextAtMs - clock(), SHORTEST_WAIT_MS), IDLE_MS));
  }

  function wait(ms: number): void {
    clearTimeout(timer);
    if (!isClosed && mode !== 'off' && link !== null) timer = setTimeout(() => void round(), ms);
  }

  // In pieces: other panels and the page must not wait for 200,000 clients.
  async function makeKeys(): Promise<void> {
    const rows: string[][] = [];
    for (const piece of kept.clients()) {
      rows.push(...piece.map(clientKeys));
      await setImmediate();
      // They were read again meanwhile.
      if (isClosed || keys.clientsReadAtMs > 0) return;
    }
    Object.assign(keys, { clients: createKeyTexts(rows), clientsReadAtMs: head.readAtMs });
  }
  let making: Promise<void> | null = null;

  return {
    id,
    isSame: (other) => wayTo(other) === wayTo(target),
    card: () => cardOf(id, reader.facts(), reader.lists(), clock()),
    keys: () => keys,
    setMode(next) {
      const isFaster = next === 'shown' && mode !== 'shown';
      mode = next;
      if (isFaster) wait(delayMs);
      else if (timer === undefined) wait(delayMs);
    },
    refresh() {
      reader.refresh();
      wait(0);
    },
    wake() {
      link?.renew();
      reader.forgive();
      wait(delayMs);
    },
    loadKeys: () => (making ??= makeKeys()),
    keep() {
      if (isUnkept) kept.writeFacts(reader.facts());
      isUnkept = false;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      link?.close();
    },
  };
}

/** The parts that define a connection; a new name or colour does not restart the reading. */
function wayTo(target: PanelTarget): string {
  if (target.kind === 'local') return JSON.stringify(target.place);
  const { address, signIn, trust } = target.saved;
  return JSON.stringify([address, signIn, trust, target.secrets]);
}

const NOWHERE: Link = {
  isSession: false,
  forward: () => Promise.reject(new Error('it does not run')),
  openStream: async () => null,
  address: async () => null,
  renew: () => undefined,
  close: () => undefined,
};

const stopped = (facts: Facts, nowMs: number): Facts => ({ ...facts, state: 'stopped', detail: '', sinceMs: nowMs });

/** The link to a panel; null: it does not run. */
export function linkTo(target: PanelTarget, onCertificate: (endsAtMs: number) => void): Link | null {
  if (target.kind === 'local') {
    const { place } = target;
    return place === null ? null : localLink(async () => place);
  }
  // Only the window signs in and out, so session changes in these responses are ignored.
  return remoteLink(target.saved, target.secrets, () => undefined, onCertificate);
}
