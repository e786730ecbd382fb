import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { BackupEntry, BackupFailure } from '../../bridge/maintenance.ts';

const PanelId = /^[\w-]{1,64}$/;
const SEALED = /^(\d{13})\.age$/;

/** Facts beside a sealed backup; nothing in them is secret. */
const Facts = z.object({
  name: z.string().max(200),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  contentBytes: z.int().min(0),
  state: z.enum(['good', 'damaged', 'unchecked']),
  checkedAtMs: z.int(),
  words: z.string().max(500),
  inbounds: z.int().nullable(),
  clients: z.int().nullable(),
});
export type BackupFacts = z.output<typeof Facts>;
const Failure = z.object({ atMs: z.int(), words: z.string().max(500) });

/** The backups of all panels in one folder: `<panel>/<moment>.age`, each with its facts beside it. */
export function openBackupFiles(folder: string) {
  /** Failures that the disk did not take: it may be full. */
  const unwritten = new Map<string, BackupFailure>();

  function place(panelId: string): string {
    if (!PanelId.test(panelId)) throw new Error('no panel has such an id');
    return join(folder, panelId);
  }
  const sealedFile = (panelId: string, takenAtMs: number): string => join(place(panelId), `${takenAtMs}.age`);
  const factsFile = (panelId: string, takenAtMs: number): string => join(place(panelId), `${takenAtMs}.json`);

  /** A crash leaves either the old file or the new one. */
  async function writeJson(file: string, value: unknown): Promise<void> {
    await writeFile(`${file}.new`, JSON.stringify(value), { mode: 0o600, flush: true });
    await rename(`${file}.new`, file);
  }

  async function entry(panelId: string, takenAtMs: number): Promise<BackupEntry | null> {
    const found = await stat(sealedFile(panelId, takenAtMs)).catch(() => null);
    if (found === null) return null;
    const facts = await readFacts(panelId, takenAtMs);
    const { sha256: _hash, ...shown } = facts ?? UNKNOWN;
    return { panelId, takenAtMs, bytes: found.size, ...shown };
  }

  async function readFacts(panelId: string, takenAtMs: number): Promise<BackupFacts | null> {
    return readFile(factsFile(panelId, takenAtMs), 'utf8')
      .then((text) => Facts.parse(JSON.parse(text)))
      .catch(() => null);
  }

  return {
    sealedFile,
    readFacts,
    entry,
    async list(): Promise<{ entries: BackupEntry[]; failures: BackupFailure[] }> {
      const panels = (await readdir(folder).catch(() => [])).filter((name) => PanelId.test(name));
      const entries: BackupEntry[] = [];
      const failures: BackupFailure[] = [];
      for (const panelId of panels) {
        for (const name of await readdir(place(panelId)).catch(() => [])) {
          const moment = SEALED.exec(name)?.[1];
          const found = moment === undefined ? null : await entry(panelId, Number(moment));
          if (found !== null) entries.push(found);
        }
        const failure = await readFile(join(place(panelId), 'failure.json'), 'utf8')
          .then((text) => Failure.parse(JSON.parse(text)))
          .catch(() => null);
        if (failure !== null) failures.push({ panelId, ...failure });
      }
      return {
        entries: entries.sort((one, other) => other.takenAtMs - one.takenAtMs),
        failures: [...unwritten.values(), ...failures.filter(({ panelId }) => !unwritten.has(panelId))],
      };
    },
    /** A temporary file to write a backup into; only `keep` turns it into one. */
    async begin(panelId: string, takenAtMs: number): Promise<string> {
      await mkdir(place(panelId), { recursive: true, mode: 0o700 });
      // Files that an earlier run left half-written.
      for (const name of await readdir(place(panelId)))
        if (name.endsWith('.part')) await rm(join(place(panelId), name), { force: true });
      return `${sealedFile(panelId, takenAtMs)}.part`;
    },
    async keep(panelId: string, takenAtMs: number, facts: BackupFacts): Promise<void> {
      await writeJson(factsFile(panelId, takenAtMs), facts);
      await rename(`${sealedFile(panelId, takenAtMs)}.part`, sealedFile(panelId, takenAtMs));
    },
    writeFacts: (panelId: string, takenAtMs: number, facts: BackupFacts) =>
      writeJson(factsFile(panelId, takenAtMs), facts),
    async noteFailure(panelId: string, failure: { atMs: number; words: string } | null): Promise<void> {
      const file = join(place(panelId), 'failure.json');
      unwritten.delete(panelId);
      if (failure === null) return rm(file, { force: true });
      try {
        await mkdir(place(panelId), { recursive: true, mode: 0o700 });
        await writeJson(file, failure);
      } catch {
        unwritten.set(panelId, { panelId, ...failure });
      }
    },
    async remove(panelId: string, takenAtMs: number): Promise<void> {
      await rm(sealedFile(panelId, takenAtMs), { force: true });
      await rm(factsFile(panelId, takenAtMs), { force: true });
    },
  };
}
export type BackupFiles = ReturnType<typeof openBackupFiles>;

/** Facts for a sealed file that lost its own: it can still be opened and checked. */
const UNKNOWN: BackupFacts = {
  name: '',
  sha256: '',
  contentBytes: 0,
  state: 'unchecked',
  checkedAtMs: 0,
  words: '',
  inbounds: null,
  clients: null,
};
