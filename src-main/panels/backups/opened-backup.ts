import type { BackupRef } from '../../bridge/maintenance.ts';
import type { BackupFiles } from './backup-files.ts';
import { partsOf } from './contents.ts';
import type { KeptParts } from './kept-parts.ts';
import { openDatabase } from './open-database.ts';

/** How long an opened backup stays in memory after use. */
const OPEN_MS = 60_000;

interface OpenedBackupDeps {
  files: BackupFiles;
  /** @throws {Error} when backups cannot be opened now */
  identity: () => string;
}

/** The backup whose contents were asked for last, kept open for a while. */
export function createOpenedBackup({ files, identity }: OpenedBackupDeps) {
  let opened: { at: string; parts: KeptParts; close: () => void } | null = null;
  let closing: NodeJS.Timeout | undefined;

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

  return {
    /** What it holds; another backup that is open closes. @throws {Error} when it is not what came from the panel */
    partsIn,
    /** Closes this backup if it is the open one. */
    closeIf({ panelId, takenAtMs }: BackupRef): void {
      if (opened?.at === `${panelId}/${takenAtMs}`) closeOpened();
    },
    close: closeOpened,
  };
}
