import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';

/** Key pair of the backups: with `recipient` alone backups can be added, but not read. */
export interface BackupKey {
  identity: string;
  recipient: string;
}

export async function makeBackupKey(): Promise<BackupKey> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** Bytes written, and their SHA-256. */
interface Passed {
  bytes: number;
  sha256: string;
}

/**
 * Writes a stream into a new file, packed and sealed in the format of age, piece by piece.
 * @param take called with the number of bytes so far; throws to stop it
 */
export async function writeSealed(
  source: Readable,
  file: string,
  recipient: string,
  take: (bytes: number, piece: Buffer) => void,
  signal: AbortSignal,
): Promise<Passed> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = new Transform({
    transform(piece: Buffer, _encoding, done) {
      try {
        take(bytes + piece.length, piece);
      } catch (error) {
        return done(error as Error);
      }
      bytes += piece.length;
      hash.update(piece);
      done(null, piece);
    },
  });
  const packed = createGzip({ level: 3 });
  const seal = new Encrypter();
  seal.addRecipient(recipient);
  const into = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  const plain = pipeline(source, counted, packed, { signal });
  // The reader of the compressed stream fails as well; the first error is the one that counts.
  const sealed = seal
    .encrypt(Readable.toWeb(packed) as ReadableStream<Uint8Array>)
    .then((stream) => pipeline(Readable.fromWeb(stream as never), into, { signal }));
  const [first, second] = await Promise.allSettled([plain, sealed]);
  if (first.status === 'rejected') throw first.reason;
  if (second.status === 'rejected') throw second.reason;
  return { bytes, sha256: hash.digest('hex') };
}

/** The contents of a sealed file. The stream fails when the file was changed or was sealed for another key. */
export async function readSealed(file: string, identity: string): Promise<Readable> {
  const open = new Decrypter();
  open.addIdentity(identity);
  const source = createReadStream(file);
  const plain = await open.decrypt(Readable.toWeb(source) as ReadableStream<Uint8Array>);
  const opened = Readable.fromWeb(plain as never);
  const unpacked = createGunzip();
  void pipeline(opened, unpacked).catch((error: unknown) => unpacked.destroy(error as Error));
  return unpacked;
}
