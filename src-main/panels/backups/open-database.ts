import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { readSealed } from './sealed-file.ts';

/** A larger one is not opened: it is unpacked in the memory of this process, and nowhere on the disk. */
const MOST_BYTES = 1024 ** 3;
/** In the header of a database: how it is written and read, 2 = with a log beside it. */
const WRITE_VERSION_AT = 18;
const READ_VERSION_AT = 19;
const WITHOUT_LOG = 1;

export class TooLarge extends Error {
  constructor() {
    super(`it is larger than ${MOST_BYTES / 1024 ** 3} GiB, and was not opened`);
    this.name = 'TooLarge';
  }
}

/**
 * Opens a sealed backup in memory: its content never lies unsealed on the disk.
 * @param contentBytes of the database; 0 = not known @throws {Error} when it was changed, or is no database
 */
export async function openDatabase(
  file: string,
  identity: string,
  contentBytes: number,
): Promise<{ db: Database.Database; sha256: string; bytes: number }> {
  if (contentBytes > MOST_BYTES) throw new TooLarge();
  const hash = createHash('sha256');
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of await readSealed(file, identity)) {
    bytes += (piece as Buffer).length;
    if (bytes > MOST_BYTES) throw new TooLarge();
    hash.update(piece as Buffer);
    pieces.push(piece as Buffer);
  }
  const whole = Buffer.concat(pieces);
  pieces.length = 0;
  if (whole.length > READ_VERSION_AT) {
    // A copy is whole; one that says there is a log beside it cannot be opened in memory.
    whole[WRITE_VERSION_AT] = WITHOUT_LOG;
    whole[READ_VERSION_AT] = WITHOUT_LOG;
  }
  return { db: new Database(whole, { readonly: true }), sha256: hash.digest('hex'), bytes };
}
