import type { PanelCard } from '../bridge/panels.ts';
import type { ServerRuntime } from '../supervisor/server-runtime.ts';
import type { FromPanels, PanelTarget, PanelsRequest, PanelsRequests, ReadMode, ToPanels, Verb } from './messages.ts';
import { createOpenRequests } from './open-requests.ts';
import { createPanelsProcess } from './panels-process.ts';

interface HostDeps {
  runtime: ServerRuntime<FromPanels, ToPanels>;
  /** Where readings are stored. */
  file: string;
  key: () => Promise<{ key: string; isKept: boolean }>;
  /** Every panel to read, with its secrets. */
  targets: () => Promise<PanelTarget[]>;
  onCards: (cards: PanelCard[]) => void;
  /** Pulls a backup of a panel to this computer. @throws {Error} */
  backUp?: (panelId: string) => Promise<void>;
}

/** Runs the process that reads all panels, for as long as the page or the notifications need it. */
export interface PanelsHost {
  /** `off` ends the process. */
  setMode(mode: ReadMode): void;
  /** A connection, a session, or this computer's panel changed. */
  targetsChanged(): void;
  wake(): void;
  refresh: (id: string) => void;
  cards(): readonly PanelCard[];
  /** @throws {Error} when the process ends, or does not answer */
  request: <V extends Verb>(verb: V, params: PanelsRequests[V]['params']) => Promise<PanelsRequests[V]['result']>;
  isKept(): Promise<boolean>;
  /** Whether a job on several panels is running. */
  isBusy(): boolean;
  close(): void;
}

/** Long enough for a large store on a slow disk, and for the key store to ask the operator. */
const START_LIMIT_MS = 60_000;

const sessionFile = (file: string): string => file.replace(/\.db$/, '-session.db');

export function createPanelsHost({ runtime, file, key, targets, onCards, backUp }: HostDeps): PanelsHost {
  const child = createPanelsProcess({ runtime, onMessage: take, onEnd: forget, isWanted: () => mode !== 'off' });
  let mode: ReadMode = 'off';
  let opening: Promise<{ key: string; isKept: boolean }> | null = null;
  let sending = 0;
  let isBusy = false;
  let isClosed = false;
  const cards = new Map<string, PanelCard>();
  const requests = createOpenRequests();
  /** Requests that wait until the process knows its panels. */
  let isSet = false;
  const waiting: (() => void)[] = [];

  const openKey = (): Promise<{ key: string; isKept: boolean }> => (opening ??= key());

  /** The process ended; the last readings stay shown. */
  function forget(): void {
    isSet = false;
    isBusy = false;
    requests.failAll();
  }

  function take(message: FromPanels): void {
    if (message.type === 'ready') return void setUp().catch(() => child.current()?.kill());
    if (message.type === 'cards') {
      child.resetDelay();
      for (const card of message.cards) cards.set(card.id, card);
      return onCards(message.cards);
    }
    if (message.type === 'busy') {
      isBusy = message.isBusy;
      // Running jobs are completed, also after the page is closed.
      if (!isBusy && mode === 'off') child.stop();
      return;
    }
    if (message.type === 'backUp') return void pull(message.id, message.panelId);
    requests.take(message);
  }

  async function pull(id: number, panelId: string): Promise<void> {
    const asker = child.current();
    const words = await (backUp?.(panelId) ?? Promise.reject(new Error('nothing pulls backups'))).then(
      () => '',
      (error: Error) => error.message || 'failed',
    );
    if (child.current() === asker) child.send({ type: 'backedUp', id, words });
  }

  async function setUp(): Promise<void> {
    const mine = child.current();
    const opened = await openKey();
    if (child.current() !== mine) return;
    // Without a key store: sealed too, by a key that ends with the application, so that the process can restart.
    const { isKept, key: sealing } = opened;
    child.send({ type: 'open', file: isKept ? file : sessionFile(file), key: sealing, isKept });
    child.send({ type: 'mode', mode });
    await sendTargets();
    isSet = true;
    for (const go of waiting.splice(0)) go();
  }

  /** @throws {Error} when the process does not get that far, as one that ends at each start */
  function untilSet(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the process that reads panels does not start')), START_LIMIT_MS);
      waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Only the list that was requested last counts. */
  async function sendTargets(): Promise<void> {
    const mine = (sending += 1);
    const listed = await targets();
    if (mine !== sending) return;
    child.send({ type: 'targets', targets: listed });
    const ids = new Set(listed.map((target) => (target.kind === 'local' ? 'local' : target.saved.id)));
    const gone = [...cards.keys()].filter((id) => !ids.has(id));
    for (const id of gone) cards.delete(id);
    // The tray shows the worst state of all panels: a removed one counts no more.
    if (gone.length > 0) onCards([]);
  }

  return {
    setMode(next) {
      if (isClosed) return;
      mode = next;
      if (next === 'off' && !isBusy) return child.stop();
      if (child.current() === null) child.start();
      else child.send({ type: 'mode', mode });
    },
    // Also without a process: the last cards stay shown, and those of removed panels must not.
    targetsChanged: () => void sendTargets(),
    wake: () => child.send({ type: 'wake' }),
    refresh: (id) => child.send({ type: 'refresh', id }),
    cards: () => [...cards.values()],
    async request(verb, params) {
      if (isClosed) throw new Error('the application ends');
      child.start();
      if (!isSet) await untilSet();
      const request = { verb, params } as PanelsRequest;
      return requests.open(verb, (id) => child.send({ type: 'request', id, request }));
    },
    isKept: async () => (await openKey()).isKept,
    isBusy: () => isBusy,
    close: () => {
      isClosed = true;
      mode = 'off';
      child.stop();
    },
  };
}
