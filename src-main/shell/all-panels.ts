import { join } from 'node:path';
import { app, globalShortcut } from 'electron';
import * as z from 'zod';
import type { MaintenanceFacts } from '../bridge/maintenance.ts';
import type { PanelCard, PanelsChoices, PanelsView } from '../bridge/panels.ts';
import { LOCAL } from '../connections/connection.ts';
import { systemKeyStore } from '../connections/key-store.ts';
import type { ConnectionStore } from '../connections/store.ts';
import type { Notifier } from '../notifications/notifier.ts';
import type { PanelTarget } from '../panels/messages.ts';
import { FIRST_CHOICES, PanelsChoicesInput } from '../panels/panels-choices.ts';
import { createPanelsHost } from '../panels/panels-host.ts';
import { openDataKey } from '../panels/store/data-key.ts';
import { createWatch } from '../panels/watch/watch-rules.ts';
import { withMaintenance } from '../panels/maintenance/maintenance-facts.ts';
import { openJsonFile } from '../preferences/json-file.ts';
import { choosePanelsRuntime } from '../supervisor/choose-runtime.ts';
import type { ServerState } from '../supervisor/state.ts';
import type { Texts } from '../texts/en.ts';

export const HOME_PAGE = '/desktop/home';
export const SEARCH_PAGE = '/desktop/home?search=';
/** Opens the search from any application. */
const SHORTCUT = 'CommandOrControl+Shift+Space';
const SHOWN_SHORTCUT = process.platform === 'darwin' ? '⌘ ⇧ Space' : 'Ctrl Shift Space';

interface AllPanelsDeps {
  /** Folder of the window's files. */
  folder: string;
  entry: string;
  store: ConnectionStore;
  texts: Texts;
  /** State of this computer's panel. */
  local: () => ServerState;
  /** Whether the operator wants a panel on this computer at all. */
  hasLocal: () => boolean;
  notifier: () => Pick<Notifier, 'sayOf'>;
  send: (cards: readonly PanelCard[]) => void;
  /** The tray shows the states of panels. */
  onStates: () => void;
  /** Shows a page of the window. */
  show: (path: string) => void;
  /** This computer's own data on a panel; null: none yet. */
  maintenance: (id: string) => MaintenanceFacts | null;
  /** Pulls a backup of a panel to this computer. */
  backUp: (id: string) => Promise<void>;
  /** Connects the window to a panel and shows a page of it. */
  openPanel: (id: string, path: string) => Promise<void>;
}

export type AllPanels = ReturnType<typeof createAllPanels>;

/** All panels in one window: the process that reads them, their notifications, and the calls of their page. */
export function createAllPanels(deps: AllPanelsDeps) {
  const { folder, store, texts } = deps;
  const { choicesFile, keyFile } = openPanelsFiles(folder);
  let isShown = false;

  const targets = (): Promise<PanelTarget[]> => readTargets(deps);
  const dataKey = lazily(() => openDataKey(systemKeyStore, keyFile));
  const host = createPanelsHost({
    runtime: choosePanelsRuntime(deps.entry),
    file: join(folder, 'panels.db'),
    key: dataKey,
    targets,
    onCards: take,
    backUp: deps.backUp,
  });

  const withFacts = (cards: readonly PanelCard[]): PanelCard[] =>
    cards.map((card) => withMaintenance(card, deps.maintenance(card.id)));
  function take(read: readonly PanelCard[]): void {
    const cards = withFacts(read);
    watch.take(cards);
    deps.send(cards);
    app.setBadgeCount(host.cards().filter((card) => stateOf(card) === 'away').length);
    deps.onStates();
  }
  const watch = createWatch({
    texts: () => texts,
    nameOf: (id) => (id === LOCAL ? texts.localPanel : (store.find(id)?.name ?? '')),
    choices: () => choicesFile.read(),
    clock: Date.now,
    later: (ms, work) => void setTimeout(work, ms),
    remotes: () => store.list().map(({ id }) => id),
    tell: ({ kind, ...notice }) => deps.notifier().sayOf({ kind: `watch.${kind}`, ...notice }),
  });

  /** With only this computer's panel, which reports its own events, nothing runs until the page is open. */
  function adjust(): void {
    const isWatched = choicesFile.read().isWatching && store.list().length > 0;
    host.setMode(isShown ? 'shown' : isWatched ? 'watching' : 'off');
  }

  function followShortcut({ hasShortcut }: PanelsChoices): void {
    globalShortcut.unregister(SHORTCUT);
    if (hasShortcut) globalShortcut.register(SHORTCUT, () => deps.show(SEARCH_PAGE));
  }

  return {
    start(): void {
      followShortcut(choicesFile.read());
      adjust();
      // An interrupted transfer is completed or undone, whether or not panels are watched.
      if (store.list().length > 0) void host.request('unfinished', null).then(adjust, adjust);
    },
    isFirstPage: () => choicesFile.read().isFirstPage,
    /** A connection, a session, or this computer's panel changed. */
    changed(): void {
      adjust();
      host.targetsChanged();
    },
    /** The window shows something else, or nothing. */
    hidden(): void {
      isShown = false;
      adjust();
    },
    targets,
    /** The key that seals stored readings. */
    dataKey,
    /** This computer's own data on them changed. */
    maintenanceChanged: (): void => take(host.cards()),
    wake(): void {
      watch.forgive();
      host.wake();
    },
    states: (): Record<string, 'away' | 'attention' | undefined> =>
      Object.fromEntries(withFacts(host.cards()).map((card) => [card.id, stateOf(card)])),
    /** A job on several panels is running: quitting asks. */
    isBusy: (): boolean => host.isBusy(),
    close: (): void => host.close(),
    calls: {
      show: async (shown: boolean): Promise<PanelsView> => {
        isShown = shown;
        adjust();
        if (shown) await host.request('cards', null).then((cards) => deps.send(withFacts(cards)));
        return {
          cards: withFacts(host.cards()),
          choices: choicesFile.read(),
          isKept: await host.isKept(),
          shortcut: SHOWN_SHORTCUT,
        };
      },
      refresh: host.refresh,
      setChoices: async (choices: PanelsChoices): Promise<void> => {
        await choicesFile.write({ ...choices });
        followShortcut(choices);
        adjust();
      },
      request: host.request,
      open: deps.openPanel,
    },
  };
}

/** The operator's choices about panels, and the sealed key of their stored data. */
function openPanelsFiles(folder: string) {
  const quietly = { clock: Date.now, onDamaged: () => undefined };
  const choicesFile = openJsonFile({
    path: join(folder, 'panels.json'),
    schema: PanelsChoicesInput,
    empty: FIRST_CHOICES,
    ...quietly,
  });
  const keyFile = openJsonFile({
    path: join(folder, 'panels-key.json'),
    schema: z.object({ sealed: z.string() }),
    empty: { sealed: '' },
    ...quietly,
  });
  return { choicesFile, keyFile };
}

/** Every panel to read: the saved ones with their secrets, and this computer's. */
async function readTargets({
  store,
  hasLocal,
  local,
}: Pick<AllPanelsDeps, 'store' | 'hasLocal' | 'local'>): Promise<PanelTarget[]> {
  const remote = await Promise.all(
    store.list().map(async (saved): Promise<PanelTarget> => ({
      kind: 'remote',
      saved,
      secrets: await store.secrets(saved.id),
    })),
  );
  if (!hasLocal()) return remote;
  const state = local();
  return [{ kind: 'local', place: state.kind === 'running' ? state.place : null }, ...remote];
}

/** States of panels for the tray; unread ones are left out. */
function stateOf({ id, state, matters }: PanelCard): 'away' | 'attention' | undefined {
  // This computer's panel has its own line there.
  if (id === LOCAL || state === 'waiting') return undefined;
  if (state === 'down' || state === 'wrong' || state === 'untrusted') return 'away';
  return state === 'refused' || matters.length > 0 ? 'attention' : undefined;
}

/** Runs once, on first use. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}
