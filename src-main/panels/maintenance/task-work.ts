import { rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BackupEntry, BackupRef } from '../../bridge/maintenance.ts';
import { openBackupFiles } from '../backups/backup-files.ts';
import { checkedFacts } from '../backups/check-backup.ts';
import { contentsOf, partsOf } from '../backups/contents.ts';
import type { KeptParts } from '../backups/kept-parts.ts';
import { openDatabase } from '../backups/open-database.ts';
import { pullBackup } from '../backups/pull-backup.ts';
import { planParts, restoreParts } from '../backups/restore-parts.ts';
import { makeBackupKey, readSealed, type BackupKey } from '../backups/sealed-file.ts';
import type { PanelTarget } from '../messages.ts';
import { idOf, linkTo } from '../read-panel.ts';
import { createTurns } from '../reading/turns.ts';
import type { SealedStore } from '../store/sealed-store.ts';
import type { Core } from '../reachability/try-ways.ts';
import { openHistory } from '../reachability/history.ts';
import { tryPanel } from '../reachability/try-panel.ts';
import { createPanelApi, type PanelApi } from './panel-api.ts';
import type { Requests, MaintenanceRequest, MaintenanceVerb } from './messages.ts';

/** How many panels are backed up at the same time; concurrent trials would distort each other. */
const PULLS = 2;
const TRIALS = 1;
/** How long an opened backup stays in memory after use. */
const OPEN_MS = 60_000;

interface WorkDeps {
  /** Folder of the backups. */
  folder: string;
  history: SealedStore;
  program: () => Promise<Core>;
  clock: () => number;
}
interface Running {
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

/** Long jobs on panels: their backups, and trials of their inbounds from here. */
export function createWork({ folder, history: store, program, clock }: WorkDeps) {
  const files = openBackupFiles(folder);
  const history = openHistory(store);
  const targets = new Map<string, PanelTarget>();
  const pulling = createTurns(PULLS);
  const trying = createTurns(TRIALS);
  let key: BackupKey | null = null;
  let opened: { at: string; parts: KeptParts; close: () => void } | null = null;
  let closing: NodeJS.Timeout | undefined;

  async function on<T>(panelId: string, work: (api: PanelApi) => Promise<T>): Promise<T> {
    const target = targets.get(panelId);
    const link = target === undefined ? null : linkTo(target, () => undefined);
    if (target === undefined) throw new Error('this panel is not saved any more');
    if (link === null) throw new Error('the panel of this computer does not run');
    try {
      return await work(createPanelApi(target, link));
    } finally {
      link.close();
    }
  }

  function identity(): string {
    if (key === null || key.identity === '') throw new Error('the passphrase of the backups was not entered');
    return key.identity;
  }

  function closeOpened(): void {
    clearTimeout(closing);
    opened?.close();
    opened = null;
  }

  async function partsIn({ panelId, takenAtMs }: BackupRef): Promise<KeptParts> {
    const at = `${panelId}/${takenAtMs}`;
    if (opened?.at !== at) {
      closeOpened();
      const facts = await files.readFacts(panelId, takenAtMs);
      const { db, sha256 } = await openDatabase(
        files.sealedFile(panelId, takenAtMs),
        identity(),
        facts?.contentBytes ?? 0,
      );
      if (facts !== null && facts.sha256 !== '' && sha256 !== facts.sha256)
        throw new Error('it is not what came from the panel');
      opened = { at, parts: partsOf(db), close: () => db.close() };
    }
    clearTimeout(closing);
    closing = setTimeout(closeOpened, OPEN_MS);
    return opened.parts;
  }

  async function check({ panelId, takenAtMs }: BackupRef): Promise<BackupEntry> {
    const facts = await files.readFacts(panelId, takenAtMs);
    if (facts === null) throw new Error('this backup is gone');
    const checked = await checkedFacts(files.sealedFile(panelId, takenAtMs), identity(), facts, clock());
    await files.writeFacts(panelId, takenAtMs, checked);
    return (await files.entry(panelId, takenAtMs))!;
  }

  async function exportTo(
    { panelId, takenAtMs, file }: Requests['export']['ask'],
    { signal, onProgress }: Running,
  ): Promise<null> {
    const facts = await files.readFacts(panelId, takenAtMs);
    const content = await readSealed(files.sealedFile(panelId, takenAtMs), identity());
    let done = 0;
    content.on('data', (piece: Buffer) => onProgress((done += piece.length), facts?.contentBytes ?? 0));
    content.pause();
    try {
      await pipeline(content, createWriteStream(file, { mode: 0o600, flush: true }), { signal });
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
    return null;
  }

  /** Only a backup that was opened and found intact may replace a panel's data. */
  async function restore({ toId, ...backup }: Requests['restore']['ask'], running: Running): Promise<null> {
    const checked = await check(backup);
    if (checked.state !== 'good') throw new Error(checked.words || 'this backup was not opened');
    const content = await readSealed(files.sealedFile(backup.panelId, backup.takenAtMs), identity());
    let done = 0;
    const counted = async function* counted() {
      for await (const piece of content) {
        running.onProgress((done += (piece as Buffer).length), checked.contentBytes);
        yield piece as Buffer;
      }
    };
    await on(toId, (api) =>
      api.upload(
        '/panel/api/server/importDB',
        { field: 'db', name: 'panel.db', content: Readable.from(counted()), bytes: checked.contentBytes },
        running.signal,
      ),
    );
    return null;
  }

  const work: {
    [V in MaintenanceVerb]: (ask: Requests[V]['ask'], running: Running) => Promise<Requests[V]['answer']>;
  } = {
    backups: () => files.list(),
    newKey: makeBackupKey,
    pull: (ask, running) =>
      pulling(async () => {
        running.signal.throwIfAborted();
        if (key === null) throw new Error('nothing here seals backups: set a passphrase');
        const sealing = { files, key, clock };
        return on(ask.panelId, (api) => pullBackup(api, sealing, { ...ask, ...running })).catch(
          async (error: unknown) => {
            const failure = { atMs: clock(), words: error instanceof Error ? error.message.slice(0, 400) : '' };
            if (!running.signal.aborted) await files.noteFailure(ask.panelId, failure);
            throw error;
          },
        );
      }),
    check,
    async remove({ panelId, takenAtMs }) {
      if (opened?.at === `${panelId}/${takenAtMs}`) closeOpened();
      await files.remove(panelId, takenAtMs);
      return null;
    },
    export: exportTo,
    restore,
    contents: async ({ text, ...backup }) => contentsOf(await partsIn(backup), text),
    async plan(ask) {
      const kept = await partsIn(ask);
      const { parts, canRun } = await on(ask.toId, (api) => planParts(api, kept, ask));
      return { parts, canRun };
    },
    async parts(ask, running) {
      const kept = await partsIn(ask);
      await on(ask.toId, (api) => restoreParts(api, kept, ask, running));
      return null;
    },
    vantage: (ask, running) =>
      trying(async () => {
        running.signal.throwIfAborted();
        const run = await on(ask.panelId, (api) => tryPanel(api, program, { ...ask, ...running }, clock));
        history.add(run);
        return run;
      }),
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
    run: ({ verb, ask }: MaintenanceRequest, running: Running): Promise<unknown> => work[verb](ask as never, running),
    close(): void {
      closeOpened();
      store.close();
    },
  };
}
export type Work = ReturnType<typeof createWork>;
