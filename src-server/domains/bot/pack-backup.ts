import { createCipheriv, pbkdf2, randomBytes } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { DomainError } from '../../contract/domain-error.ts';
import { byteSizeText } from '../../links/remark/byte-size.ts';
import type { BackupSource, BotFile } from './panel-port.ts';

/** Largest file that the API server accepts from a bot, less some room for the request around it. */
const MAX_BYTES = 49 * 1024 * 1024;
/** Compressed at a time: each piece is one trip to another thread, which takes long on a busy machine. */
const CHUNK_BYTES = 1024 * 1024;
const SALT_BYTES = 8;
const KEY_BYTES = 32;
const IV_BYTES = 16;
/** The value for `openssl enc -iter` (docs/bot.md). */
const ROUNDS = 600_000;

const derive = promisify(pbkdf2);

/**
 * Packs a file for sending: encrypted when there is a passphrase, compressed when it is encrypted or too large. If it
 * is still too large, no more than the messenger's limit is held in memory.
 * @throws {DomainError} `bot.backupTooLarge`
 */
export async function packBackup({ name, size, body }: BackupSource, passphrase: string): Promise<BotFile> {
  if (passphrase === '' && size <= MAX_BYTES) return { name, bytes: await held(body) };
  // Whichever ends first, the source is closed with it: its copy of the database stays on the disk until then.
  const bytes = await pipeline(body, createGzip({ chunkSize: CHUNK_BYTES }), held);
  const small = { name: `${name}.gz`, bytes };
  return passphrase === '' ? small : seal(small, passphrase);
}

async function held(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  // Leaving the loop closes the source.
  for await (const chunk of body) {
    total += chunk.length;
    if (total > MAX_BYTES) throw new DomainError('bot.backupTooLarge', { limit: byteSizeText(MAX_BYTES) });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The format of `openssl enc -aes-256-cbc -pbkdf2`, so that no panel is needed to decrypt it. */
async function seal({ name, bytes }: BotFile, passphrase: string): Promise<BotFile> {
  const salt = randomBytes(SALT_BYTES);
  const derived = await derive(passphrase, salt, ROUNDS, KEY_BYTES + IV_BYTES, 'sha256');
  const cipher = createCipheriv('aes-256-cbc', derived.subarray(0, KEY_BYTES), derived.subarray(KEY_BYTES));
  const sealed = Buffer.concat([Buffer.from('Salted__'), salt, cipher.update(bytes), cipher.final()]);
  return { name: `${name}.enc`, bytes: sealed };
}
