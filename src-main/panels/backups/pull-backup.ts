import { rm } from 'node:fs/promises';
import type { BackupEntry, KeepingRule } from '../../bridge/maintenance.ts';
import { readInbounds } from '../reading/read-lists.ts';
import { plainText } from '../reading/tolerant.ts';
import { PanelRefusal, type PanelApi } from '../maintenance/panel-api.ts';
import type { BackupFiles } from './backup-files.ts';
import { checkedFacts, type Expected } from './check-backup.ts';
import { outdated } from './keeping-rule.ts';
import { writeSealed, type BackupKey } from './sealed-file.ts';

/** No panel has a larger one. */
const MAX_BYTES = 16 * 1024 ** 3;
const IDLE_MS = 60_000;
const HEAD = Buffer.from('SQLite format 3\0');

interface PullDeps {
  files: BackupFiles;
  /** `identity` empty: the key was not opened since the start. */
  key: BackupKey;
  clock: () => number;
}
interface Pull {
  panelId: string;
  name: string;
  keep: KeepingRule;
  onProgress: (done: number, total: number) => void;
  signal: AbortSignal;
}

/**
 * Takes a backup of a panel to this computer: sealed while it arrives, then opened and checked. A damaged one is kept,
 * and marked as such. @throws {Error} when none arrived
 */
export async function pullBackup(api: PanelApi, { files, key, clock }: PullDeps, pull: Pull): Promise<BackupEntry> {
  const { panelId } = pull;
  const takenAtMs = clock();
  try {
    const expected = await expectedOf(api);
    const part = await files.begin(panelId, takenAtMs);
    const passed = await writePart(api, part, key.recipient, pull);
    await files.keep(panelId, takenAtMs, {
      name: pull.name,
      sha256: passed.sha256,
      contentBytes: passed.bytes,
      state: 'unchecked',
      checkedAtMs: 0,
      words: '',
      inbounds: null,
      clients: null,
    });
    if (key.identity !== '') {
      const facts = (await files.readFacts(panelId, takenAtMs))!;
      const checked = await checkedFacts(files.sealedFile(panelId, takenAtMs), key.identity, facts, clock(), expected);
      await files.writeFacts(panelId, takenAtMs, checked);
      if (checked.state === 'damaged') throw new Error(checked.words);
    }
    await files.noteFailure(panelId, null);
    const { entries } = await files.list();
    const own = entries.filter((entry) => entry.panelId === panelId);
    for (const old of outdated(own, pull.keep, clock())) await files.remove(panelId, old.takenAtMs);
    return (await files.entry(panelId, takenAtMs))!;
  } catch (error) {
    const words = plainText(error instanceof Error ? error.message : String(error));
    if (!pull.signal.aborted) await files.noteFailure(panelId, { atMs: clock(), words });
    throw error;
  }
}

/** The identity of this panel. */
async function expectedOf(api: PanelApi): Promise<Expected> {
  const status = (await api.get('/panel/api/server/status')) as { panelGuid?: unknown } | null;
  const inbounds = await readInbounds(api.link);
  return {
    guid: typeof status?.panelGuid === 'string' ? status.panelGuid : '',
    tags: inbounds.map(({ tag }) => tag),
  };
}

async function writePart(api: PanelApi, part: string, recipient: string, pull: Pull) {
  const idle = new AbortController();
  const signal = AbortSignal.any([pull.signal, idle.signal]);
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => idle.abort(new Error('it stopped answering')), IDLE_MS);
  };
  wait();
  try {
    const { body, bytes: total } = await api.download('/panel/api/server/getDb', signal);
    let head = Buffer.alloc(0);
    const passed = await writeSealed(
      body,
      part,
      recipient,
      (done, piece) => {
        wait();
        if (done > MAX_BYTES) throw new PanelRefusal('its database is larger than any');
        if (head.length < HEAD.length) {
          head = Buffer.concat([head, piece.subarray(0, HEAD.length)]);
          if (head.length >= HEAD.length && !head.subarray(0, HEAD.length).equals(HEAD))
            throw new PanelRefusal('what it hands out is no SQLite database');
        }
        pull.onProgress(done, total);
      },
      signal,
    );
    if (total > 0 && passed.bytes !== total) throw new Error('it did not come whole');
    if (passed.bytes === 0) throw new PanelRefusal('what it hands out is empty');
    return passed;
  } catch (error) {
    await rm(part, { force: true });
    throw idle.signal.aborted ? idle.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}
