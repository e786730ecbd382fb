import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { readSealed } from './sealed-file.ts';

/** A larger one is not opened: it is unpacked in this process's memory, and nowhere on disk. */
const MAX_BYTES = 1024 ** 3;
/** Header bytes of a database: read and write version, 2 = with a write-ahead log. */
const WRITE_VERSION_AT = 18;
const READ_VERSION_AT = 19;
const WITHOUT_LOG = 1;

export class TooLarge extends Error {
  constructor() {
    super(`it is larger than ${MAX_BYTES / 1024 ** 3} GiB, and was not opened`);
    this.name = 'TooLarge';
  }
}

/**
 * Opens a sealed backup in memory: its contents are never unsealed on disk.
 * @param contentBytes of the database; 0 = unknown @throws {Error} when it was changed, or is not a database
 */
export async function openDatabase(
  file: string,
  identity: string,
  contentBytes: number,
): Promise<{ db: Database.Database; sha256: string; bytes: number }> {
  if (contentBytes > MAX_BYTES) throw new TooLarge();
  const hash = createHash('sha256');
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of await readSealed(file, identity)) {
    bytes += (piece as Buffer).length;
    if (bytes > MAX_BYTES) throw new TooLarge();
    hash.update(piece as Buffer);
    pieces.push(piece as Buffer);
  }
  const whole = Buffer.concat(pieces);
  pieces.length = 0;
  if (whole.length > READ_VERSION_AT) {
    // A copy is complete, but one whose header requires a log cannot be opened in memory.
    whole[WRITE_VERSION_AT] = WITHOUT_LOG;
    whole[READ_VERSION_AT] = WITHOUT_LOG;
  }
  return { db: new Database(whole, { readonly: true }), sha256: hash.digest('hex'), bytes };
}
