import { openBackupFiles } from '../backups/backup-files.ts';
import { contentsOf } from '../backups/contents.ts';
import { createOpenedBackup } from '../backups/opened-backup.ts';
import { planParts, restoreParts } from '../backups/restore-parts.ts';
import { makeBackupKey, type BackupKey } from '../backups/sealed-file.ts';
import type { PanelTarget } from '../messages.ts';
import { idOf } from '../read-panel.ts';
import { createTurns } from '../reading/turns.ts';
import type { SealedStore } from '../store/sealed-store.ts';
import type { Core } from '../reachability/try-ways.ts';
import { openHistory } from '../reachability/history.ts';
import { tryPanel } from '../reachability/try-panel.ts';
import { createBackupWork } from './backup-work.ts';
import { onPanel } from './on-panel.ts';
import type { PanelApi } from './panel-api.ts';
import type { Requests, MaintenanceRequest, MaintenanceVerb } from './messages.ts';
import type { Running } from './tasks.ts';

/** Concurrent trials would distort each other. */
const TRIALS = 1;

interface WorkDeps {
  /** Folder of the backups. */
  folder: string;
  history: SealedStore;
  program: () => Promise<Core>;
  clock: () => number;
}

/** Long jobs on panels: their backups, and trials of their inbounds from here. */
export function createWork({ folder, history: store, program, clock }: WorkDeps) {
  const files = openBackupFiles(folder);
  const history = openHistory(store);
  const targets = new Map<string, PanelTarget>();
  const trying = createTurns(TRIALS);
  let key: BackupKey | null = null;

  const on = <T>(panelId: string, work: (api: PanelApi) => Promise<T>, signal?: AbortSignal): Promise<T> =>
    onPanel(targets, panelId, work, signal);

  function identity(): string {
    if (key === null || key.identity === '') throw new Error('the passphrase of the backups was not entered');
    return key.identity;
  }

  const opened = createOpenedBackup({ files, identity });
  const backups = createBackupWork({ files, key: () => key, identity, on, clock });

  const work: {
    [V in MaintenanceVerb]: (params: Requests[V]['params'], running: Running) => Promise<Requests[V]['result']>;
  } = {
    backups: () => files.list(),
    newKey: makeBackupKey,
    pull: backups.pull,
    check: backups.check,
    async remove({ panelId, takenAtMs }) {
      opened.closeIf({ panelId, takenAtMs });
      await files.remove(panelId, takenAtMs);
      return null;
    },
    export: backups.exportTo,
    restore: backups.restore,
    contents: async ({ text, ...backup }) => contentsOf(await opened.partsIn(backup), text),
    async plan(params, { signal }) {
      const kept = await opened.partsIn(params);
      const { parts, canRun } = await on(params.toId, (api) => planParts(api, kept, params), signal);
      return { parts, canRun };
    },
    async parts(params, running) {
      const kept = await opened.partsIn(params);
      await on(params.toId, (api) => restoreParts(api, kept, params, running));
      return null;
    },
    vantage: (params, running) =>
      trying(async () => {
        const trial = (api: PanelApi) => tryPanel(api, program, { ...params, ...running }, clock);
        const run = await on(params.panelId, trial, running.signal);
        history.add(run);
        return run;
      }, running.signal),
    latest: async () => history.latest([...targets.keys()]),
    runs: async (panelId) => history.runs(panelId),
  };

  return {
    setKey: (next: BackupKey | null): void => void (key = next),
    setTargets(next: readonly PanelTarget[]): void {
      targets.clear();
      for (const target of next) targets.set(idOf(target), target);
      // This computer's panel may be off for now; its data here stays.
      history.forgetOthers(new Set([...targets.keys(), 'local']));
    },
    run: ({ verb, params }: MaintenanceRequest, running: Running): Promise<unknown> =>
      work[verb](params as never, running),
    close(): void {
      opened.close();
      store.close();
    },
  };
}
export type Work = ReturnType<typeof createWork>;
