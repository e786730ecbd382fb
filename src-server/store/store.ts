import type { Transaction } from 'kysely';
import type { BackupReason } from './backups.ts';
import type { Db, Schema } from './schema.ts';
import type { TurnReader } from './turn-reader.ts';

/** A transaction of the one writer. Reads inside it see its own writes. */
export type WriteTransaction = Transaction<Schema>;

export interface Store {
  /** Short reads (a few ms) on a connection of this thread. Sees committed data. */
  readonly reader: Db;
  /** Short reads of many requests at once, which share a snapshot within a turn of the event loop. */
  readonly turnReader: TurnReader;
  /** Changes whenever something has been committed, by this or another process. */
  dataVersion(): Promise<number>;
  /** Long reads (export, reports) in a separate thread. */
  readonly heavyReader: Db;
  /**
   * Runs `work` as one immediate transaction of the single writer; others wait, and requested changes (acting.ts) go
   * before the panel's own. Committed and on disk when the promise resolves, rolled back when `work` throws. No network
   * call and no core call inside. A requested change and its journal entry are committed together or not at all.
   */
  write<T>(work: (trx: WriteTransaction) => Promise<T>): Promise<T>;
  /**
   * Consistent automatic backup into the data folder; the last ten are kept.
   * @param finish last work on the copy before it counts
   * @returns its path
   */
  backup(reason: BackupReason, finish?: (copy: string) => Promise<void>): Promise<string>;
  /** Consistent copy to any path. */
  copyTo(file: string): Promise<void>;
  /**
   * Writes a native copy of a database on a server to any path; null where the database is a file.
   * @throws {DomainError} `store.dumpProgramMissing`, `store.dumpProgramOld`, `store.dumpFailed`
   */
  readonly dumpTo: ((file: string) => Promise<void>) | null;
  readonly backupFolder: string;
  /** What was done to open a damaged database; null when it was sound. */
  readonly recovery: Recovery | null;
  /** Calls `listener` whenever the server is back after it was away; absent where the database is a file. */
  onBack?(listener: () => void): void;
  close(options?: { backup: boolean }): Promise<void>;
}

/** Changes that transactions of the active panel make for servers with their own inbounds. */
export interface ChangeFeed {
  /**
   * @param listener.changed a transaction with this message was committed
   * @param listener.missed the connection was lost and is back: messages sent meanwhile are not repeated
   * @returns stops listening
   */
  follow(listener: { changed: (text: string) => void; missed: () => void }): () => void;
}

export interface Recovery {
  /** Where the damaged file was moved. */
  damagedFile: string;
  /** The backup that was opened instead; null when there was none and the panel started empty. */
  backupFile: string | null;
  reason: string;
}
