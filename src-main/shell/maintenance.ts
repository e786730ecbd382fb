import { join } from 'node:path';
import { app, dialog } from 'electron';
import * as z from 'zod';
import type { BackupKeyState, MaintenanceFacts, MaintenanceVerbs, MaintenanceTask } from '../bridge/maintenance.ts';
import { LOCAL } from '../connections/connection.ts';
import { systemKeyStore } from '../connections/key-store.ts';
import { PassphraseBox } from '../lock/passphrase.ts';
import { createBackupKeys } from '../panels/backups/backup-keys.ts';
import { isDue } from '../panels/backups/backup-schedule.ts';
import type { PanelTarget } from '../panels/messages.ts';
import { blockedOf } from '../panels/reachability/blocked.ts';
import type { Requests } from '../panels/maintenance/messages.ts';
import { createTasks } from '../panels/maintenance/tasks.ts';
import {
  BackupsChoicesInput,
  FIRST_BACKUPS,
  FIRST_REACHABILITY,
  ReachabilityChoicesInput,
} from '../panels/maintenance/maintenance-choices.ts';
import { createMaintenanceHost } from '../panels/maintenance/maintenance-host.ts';
import { openJsonFile } from '../preferences/json-file.ts';
import { chooseMaintenanceRuntime } from '../supervisor/choose-runtime.ts';

/** How often the schedules are checked. */
const LOOK_MS = 60_000;

type Known = Requests['backups']['answer'] & { latest: Requests['latest']['answer'] };
const NOTHING_KNOWN: Known = { entries: [], failures: [], latest: {} };
const NOTHING: MaintenanceFacts = { backupAtMs: 0, backupFailure: null, reachability: null };

interface MaintenanceDeps {
  /** Folder of the window's files. */
  folder: string;
  dataDir: string;
  resourcesDir: string;
  /** Core named at the start; empty = none. */
  core: string;
  entry: string;
  targets: () => Promise<PanelTarget[]>;
  dataKey: () => Promise<{ key: string; isKept: boolean }>;
  nameOf: (id: string) => string;
  send: (tasks: MaintenanceTask[]) => void;
  /** This computer's own data on panels changed. */
  onFacts: () => void;
}

export type Maintenance = ReturnType<typeof createMaintenance>;

/** Backups of all panels, and trials of their inbounds from here: schedules, keys, and the page's calls. */
export function createMaintenance(deps: MaintenanceDeps) {
  const { folder, send, targets } = deps;
  const quietly = { clock: Date.now, onDamaged: () => undefined };
  const backupsFile = openJsonFile({
    path: join(folder, 'backups.json'),
    schema: BackupsChoicesInput,
    empty: FIRST_BACKUPS,
    ...quietly,
  });
  const reachabilityFile = openJsonFile({
    path: join(folder, 'vantage.json'),
    schema: ReachabilityChoicesInput,
    empty: FIRST_REACHABILITY,
    ...quietly,
  });
  const keyFile = openJsonFile({
    path: join(folder, 'backups-key.json'),
    schema: z.object({ recipient: z.string(), sealed: z.string(), box: PassphraseBox.nullable() }),
    empty: { recipient: '', sealed: '', box: null },
    ...quietly,
  });
  const facts = new Map<string, MaintenanceFacts>();
  /** As last read, so that the schedules need no process for it. */
  let known: Known | null = null;
  /** Without a key store, the history of trials is only in the process's memory, so the process stays. */
  let isUnkept = false;
  let isHistoryInMemory = false;
  const keys = createBackupKeys(systemKeyStore, keyFile, () => host.ask('newKey', null));
  const host = createMaintenanceHost({
    runtime: chooseMaintenanceRuntime(deps.entry),
    opening: async () => {
      const { key, isKept } = await deps.dataKey();
      isUnkept = !isKept;
      return {
        type: 'open',
        backups: join(folder, 'backups'),
        history: isKept ? join(folder, 'panels-vantage.db') : null,
        dataKey: key,
        core: { dataDir: deps.dataDir, resourcesDir: deps.resourcesDir, named: deps.core },
      };
    },
    key: () => keys.known(),
    targets,
    mayRest: () => !isHistoryInMemory,
  });
  const tasks = createTasks(send, Date.now);

  /** Data shown for each panel, after a change. */
  async function learn(): Promise<void> {
    known = { ...(await host.ask('backups', null)), latest: await host.ask('latest', null) };
    const { entries, failures, latest } = known;
    facts.clear();
    const ids = new Set([...entries.map(({ panelId }) => panelId), ...failures.map(({ panelId }) => panelId)]);
    for (const id of new Set([...ids, ...Object.keys(latest)])) {
      const good = entries.find(({ panelId, state }) => panelId === id && state === 'good');
      const failure = failures.find(({ panelId }) => panelId === id) ?? null;
      const run = latest[id];
      facts.set(id, {
        backupAtMs: good?.takenAtMs ?? 0,
        backupFailure: failure === null ? null : { atMs: failure.atMs, words: failure.words },
        reachability:
          run === undefined || run.words !== ''
            ? null
            : { atMs: run.atMs, tried: run.ways.length, blocked: blockedOf(run) },
      });
    }
    deps.onFacts();
  }

  const learnQuietly = (): void => void learn().catch(() => undefined);

  async function pullNow(panelId: string, running: Parameters<Parameters<typeof tasks.begin>[2]>[0]): Promise<void> {
    await keys.ready();
    await host.keyChanged();
    const name = deps.nameOf(panelId);
    await host.ask('pull', { panelId, name, keep: backupsFile.read().keep }, running).finally(learnQuietly);
  }
  const pull = (panelId: string): number => tasks.begin('pull', panelId, (running) => pullNow(panelId, running));

  function tryPanel(panelId: string): number {
    return tasks.begin('vantage', panelId, async (running) => {
      const { downloadUrl, addressUrl, clients } = reachabilityFile.read();
      const ask = { panelId, downloadUrl, addressUrl, client: clients[panelId] ?? '' };
      await host.ask('vantage', ask, running).finally(learnQuietly);
      isHistoryInMemory = isUnkept;
    });
  }

  /** Starts what is due. */
  async function look(): Promise<void> {
    const backups = backupsFile.read();
    const reachability = reachabilityFile.read();
    if (!backups.isOn && !reachability.isOn) return;
    const nowMs = Date.now();
    if (known === null) await learn();
    const { entries, failures, latest } = known ?? NOTHING_KNOWN;
    const canSeal = (await keys.state()) !== 'none';
    for (const target of await targets()) {
      const id = target.kind === 'local' ? LOCAL : target.saved.id;
      // A stopped panel is neither backed up nor tried.
      if (target.kind === 'local' && target.place === null) continue;
      const takenAtMs = entries.find(({ panelId }) => panelId === id)?.takenAtMs ?? 0;
      const failedAtMs = failures.find(({ panelId }) => panelId === id)?.atMs ?? 0;
      if (canSeal && !tasks.isRunning('pull', id) && isDue(id, backups, { takenAtMs, failedAtMs }, nowMs)) pull(id);
      const isStale = (latest[id]?.atMs ?? 0) <= nowMs - reachability.everyMin * 60_000;
      if (reachability.isOn && isStale && !reachability.off.includes(id) && !tasks.isRunning('vantage', id))
        tryPanel(id);
    }
  }

  const looking = setInterval(() => void look().catch(() => undefined), LOOK_MS);
  const begin = (kind: MaintenanceTask['kind'], panelId: string, work: Parameters<typeof tasks.begin>[2]): number =>
    tasks.begin(kind, panelId, (running) => work(running).finally(learnQuietly));

  const calls = {
    backups: async () => ({
      ...(await host.ask('backups', null)),
      choices: backupsFile.read(),
      key: (await keys.state()) satisfies BackupKeyState,
    }),
    setBackups: async (choices) => {
      await backupsFile.write({ ...choices });
      await learn();
      void look().catch(() => undefined);
    },
    usePassphrase: async (passphrase) => {
      await keys.usePassphrase(passphrase);
      await host.keyChanged();
      // Backups that arrived while they could not be opened are checked now.
      const { entries } = await host.ask('backups', null);
      for (const { panelId, takenAtMs, state, checkedAtMs } of entries)
        if (state === 'unchecked' && checkedAtMs === 0)
          begin('check', panelId, (running) => host.ask('check', { panelId, takenAtMs }, running));
    },
    contents: (ask) => host.ask('contents', ask),
    plan: (ask) => host.ask('plan', ask),
    remove: async (backup) => {
      await host.ask('remove', backup);
      await learn();
    },
    pull: async (panelId) => pull(panelId),
    check: async (backup) => begin('check', backup.panelId, (running) => host.ask('check', backup, running)),
    exportTo: async (backup) => {
      const name = `${deps.nameOf(backup.panelId).replaceAll(/[^\p{L}\p{N}._-]+/gu, '-') || 'panel'}.db`;
      const { filePath, canceled } = await dialog.showSaveDialog({ defaultPath: join(app.getPath('downloads'), name) });
      if (canceled || filePath === undefined || filePath === '') return null;
      return begin('export', backup.panelId, (running) => host.ask('export', { ...backup, file: filePath }, running));
    },
    restore: async (ask) => begin('restore', ask.toId, (running) => host.ask('restore', ask, running)),
    restoreParts: async (ask) => begin('parts', ask.toId, (running) => host.ask('parts', ask, running)),
    reachability: async () => ({ choices: reachabilityFile.read(), latest: await host.ask('latest', null) }),
    setReachability: async (choices) => {
      await reachabilityFile.write({ ...choices });
      await learn();
      void look().catch(() => undefined);
    },
    tryPanel: async (panelId) => tryPanel(panelId),
    runs: (panelId) => host.ask('runs', panelId),
    cancel: async (id) => tasks.cancel(id),
    tasks: async () => tasks.list(),
  } satisfies Omit<MaintenanceVerbs, 'onTasks'>;

  return {
    calls,
    /** Pulls a backup now, as a task like any other. @throws {Error} when it fails, or is cancelled */
    backUp: (panelId: string): Promise<void> =>
      new Promise((resolve, reject) => {
        tasks.begin('pull', panelId, async (running) => {
          const pulled = pullNow(panelId, running);
          pulled.then(resolve, reject);
          await pulled;
        });
      }),
    /** Null: unknown yet. */
    factsOf: (id: string): MaintenanceFacts | null => facts.get(id) ?? (known === null ? null : NOTHING),
    /** Loads stored data, and starts what fell due meanwhile. */
    async start(): Promise<void> {
      if (backupsFile.read().isOn || reachabilityFile.read().isOn || keyFile.read().recipient !== '')
        await learn().catch(() => undefined);
      await look().catch(() => undefined);
    },
    /** The names of running work, for the question before quitting. */
    running: (): MaintenanceTask[] => tasks.list().filter(({ state }) => state === 'running'),
    close(): void {
      clearInterval(looking);
      host.close();
    },
  };
}
