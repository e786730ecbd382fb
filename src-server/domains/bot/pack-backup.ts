import { createCipheriv, pbkdf2, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { DomainError } from '../../contract/domain-error.ts';
import { byteSizeText } from '../../links/remark/byte-size.ts';
import type { BackupSource, BotFile } from './panel-port.ts';

/** Most bytes of a file that the API server takes from a bot, less some room for what stands around it. */
const MOST_BYTES = 49 * 1024 * 1024;
const SALT_BYTES = 8;
const KEY_BYTES = 32;
const IV_BYTES = 16;
/** As `openssl enc -iter` has to be told (docs/bot.md). */
const ROUNDS = 600_000;

const derive = promisify(pbkdf2);

/**
 * A file as it is sent: encrypted when there is a passphrase, compressed when it is encrypted or too large. Of a file that is too
 * large even then no more is held than a messenger takes.
 * @throws {DomainError} `bot.backupTooLarge`
 */
export async function packBackup({ name, size, body }: BackupSource, passphrase: string): Promise<BotFile> {
  if (passphrase === '' && size <= MOST_BYTES) return { name, bytes: await held(body) };
  const compressor = createGzip();
  // Whichever ends first, the source is closed with it: its copy of the database lies on the disk until then.
  const piped = pipeline(body, compressor).catch((error: unknown) => void compressor.destroy(error as Error));
  let bytes: Buffer;
  try {
    bytes = await held(compressor);
  } finally {
    await piped;
  }
  const small = { name: `${name}.gz`, bytes };
  return passphrase === '' ? small : seal(small, passphrase);
}

async function held(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  // Leaving the loop closes what it reads from.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > MOST_BYTES) throw new DomainError('bot.backupTooLarge', { limit: byteSizeText(MOST_BYTES) });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What `openssl enc -aes-256-cbc -pbkdf2` writes, so that no panel is needed to open it. */
async function seal({ name, bytes }: BotFile, passphrase: string): Promise<BotFile> {
  const salt = randomBytes(SALT_BYTES);
  const derived = await derive(passphrase, salt, ROUNDS, KEY_BYTES + IV_BYTES, 'sha256');
  const cipher = createCipheriv('aes-256-cbc', derived.subarray(0, KEY_BYTES), derived.subarray(KEY_BYTES));
  const sealed = Buffer.concat([Buffer.from('Salted__'), salt, cipher.update(bytes), cipher.final()]);
  return { name: `${name}.enc`, bytes: sealed };
}
