import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { seal, unseal } from '../panels/store/sealing.ts';

/** Cost of one try: 128 MiB and about half a second. */
const COST = { N: 2 ** 17, r: 8, p: 1 };
/** Parameters of scrypt. */
export type Cost = typeof COST;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** Parameters are stored with the hash, and bounded: a tampered file must not make a try use all memory. */
const Derived = z.object({
  salt: z.base64().max(64),
  N: z
    .int()
    .min(2 ** 14)
    .max(2 ** 20),
  r: z.int().min(1).max(16),
  p: z.int().min(1).max(4),
});
export const PassphraseHash = Derived.extend({ hash: z.base64().max(64) });
export type PassphraseHash = z.output<typeof PassphraseHash>;
export const PassphraseBox = Derived.extend({ sealed: z.base64().max(4_096) });
export type PassphraseBox = z.output<typeof PassphraseBox>;

/** Shorter ones can be guessed however slow a try is. */
export const Passphrase = z.string().min(8).max(1_024);

function derive(passphrase: string, { salt, N, r, p }: z.output<typeof Derived>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N, r, p, maxmem: 256 * N * r };
    scrypt(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), KEY_BYTES, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

const fresh = (cost: Cost): z.output<typeof Derived> => ({ ...cost, salt: randomBytes(SALT_BYTES).toString('base64') });

/** Stored hash to verify a passphrase against. */
export async function hashPassphrase(passphrase: string, cost = COST): Promise<PassphraseHash> {
  const how = fresh(cost);
  return { ...how, hash: (await derive(passphrase, how)).toString('base64') };
}

export async function isPassphrase(passphrase: string, kept: PassphraseHash): Promise<boolean> {
  const hash = Buffer.from(kept.hash, 'base64');
  const derived = await derive(passphrase, kept);
  return hash.length === derived.length && timingSafeEqual(hash, derived);
}

/** Seals a text so that the passphrase opens it. @param place purpose of the sealed text */
export async function sealWithPassphrase(
  passphrase: string,
  place: string,
  text: string,
  cost = COST,
): Promise<PassphraseBox> {
  const how = fresh(cost);
  return { ...how, sealed: seal(await derive(passphrase, how), place, text).toString('base64') };
}

/** @throws {Error} for another passphrase */
export async function openWithPassphrase(passphrase: string, place: string, box: PassphraseBox): Promise<string> {
  return String(unseal(await derive(passphrase, box), place, Buffer.from(box.sealed, 'base64')));
}
