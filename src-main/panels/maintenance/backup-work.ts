import { rename, rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BackupEntry, BackupRef } from '../../bridge/maintenance.ts';
import type { BackupFiles } from '../backups/backup-files.ts';
import { checkedFacts } from '../backups/check-backup.ts';
import { pullBackup } from '../backups/pull-backup.ts';
import { readSealed, type BackupKey } from '../backups/sealed-file.ts';
import { createTurns } from '../reading/turns.ts';
import type { Requests } from './messages.ts';
import type { PanelApi } from './panel-api.ts';
import type { Running } from './tasks.ts';

/** How many panels are backed up at the same time. */
const PULLS = 2;

interface BackupWorkDeps {
  files: BackupFiles;
  /** What seals new backups; null: nothing. */
  key: () => BackupKey | null;
  /** @throws {Error} when backups cannot be opened now */
  identity: () => string;
  on: <T>(panelId: string, work: (api: PanelApi) => Promise<T>, signal?: AbortSignal) => Promise<T>;
  clock: () => number;
}

/** Work on whole backups: pulls one from its panel, checks it, writes it to a file, or puts it back. */
export function createBackupWork({ files, key, identity, on, clock }: BackupWorkDeps) {
  const pulling = createTurns(PULLS);

  function pull(params: Requests['pull']['params'], running: Running): Promise<BackupEntry> {
    return pulling(async () => {
      const sealingKey = key();
      if (sealingKey === null) throw new Error('nothing here seals backups: set a passphrase');
      const sealing = { files, key: sealingKey, clock };
      const work = (api: PanelApi) => pullBackup(api, sealing, { ...params, ...running });
      return on(params.panelId, work, running.signal).catch(async (error: unknown) => {
        const failure = { atMs: clock(), words: error instanceof Error ? error.message.slice(0, 400) : '' };
        if (!running.signal.aborted) await files.noteFailure(params.panelId, failure);
        throw error;
      });
    }, running.signal);
  }

  async function check({ panelId, takenAtMs }: BackupRef): Promise<BackupEntry> {
    const facts = await files.readFacts(panelId, takenAtMs);
    if (facts === null) throw new Error('this backup is gone');
    const checked = await checkedFacts(files.sealedFile(panelId, takenAtMs), identity(), facts, clock());
    await files.writeFacts(panelId, takenAtMs, checked);
    return (await files.entry(panelId, takenAtMs))!;
  }

  async function exportTo(
    { panelId, takenAtMs, file }: Requests['export']['params'],
    { signal, onProgress }: Running,
  ): Promise<null> {
    const facts = await files.readFacts(panelId, takenAtMs);
    const content = await readSealed(files.sealedFile(panelId, takenAtMs), identity());
    let done = 0;
    content.on('data', (piece: Buffer) => onProgress((done += piece.length), facts?.contentBytes ?? 0));
    content.pause();
    // One that was chosen to be replaced stays if this fails.
    const part = `${file}.part`;
    try {
      await pipeline(content, createWriteStream(part, { mode: 0o600, flush: true }), { signal });
      await rename(part, file);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    return null;
  }

  /** Only a backup that was opened and found intact may replace a panel's data. */
  async function restore({ toId, ...backup }: Requests['restore']['params'], running: Running): Promise<null> {
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

  return { pull, check, exportTo, restore };
}
