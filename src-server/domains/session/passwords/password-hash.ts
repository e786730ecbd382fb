import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../../contract/domain-error.ts';

/** 32 MiB and about a tenth of a second each: expensive to guess, cheap to sign in. */
const COST = { N: 2 ** 15, r: 8, p: 1 };
const MAX_COST = { N: 2 ** 17, r: 16, p: 4 };
const KEY_BYTES = 32;

interface ScryptCost {
  N: number;
  r: number;
  p: number;
}

/** One key derivation; replaced by tests that count. */
export type Derive = (password: string, salt: Buffer, cost: ScryptCost) => Promise<Buffer>;

/**
 * Hashes passwords off the main thread, few at a time and with a short queue, so that a flood of sign-ins leaves
 * threads and memory for the rest of the panel. When the queue is full, both methods throw {@link DomainError}
 * `session.overloaded` before any work.
 */
export function createPasswordHasher(options: { atATime?: number; queue?: number; derive?: Derive } = {}) {
  const { atATime = 2, queue = 32, derive = deriveWithScrypt } = options;
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn(password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
    if (running >= atATime) {
      if (waiting.length >= queue) throw new DomainError('session.overloaded');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await derive(password, salt, cost);
    } finally {
      // The slot is handed on, not freed: a newcomer cannot overtake those who wait.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  }

  return {
    /** @returns `scrypt$N$r$p$salt$key`: the parameters are stored with the hash, so they can be raised later. */
    async hash(password: string): Promise<string> {
      const salt = randomBytes(16);
      const key = await inTurn(password, salt, COST);
      return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
    },
    /** `stored` null = no such user: the same work is done and the result is false. */
    async verify(password: string, stored: string | null): Promise<boolean> {
      const known = stored === null ? null : parseHash(stored);
      const key = await inTurn(password, known?.salt ?? randomBytes(16), known?.cost ?? COST);
      return known !== null && known.key.length === key.length && timingSafeEqual(known.key, key);
    },
  };
}
export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

function deriveWithScrypt(password: string, salt: Buffer, { N, r, p }: ScryptCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

function parseHash(stored: string): { cost: ScryptCost; salt: Buffer; key: Buffer } | null {
  const match = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d)\$([\w-]+)\$([\w-]+)$/.exec(stored);
  if (match === null) return null;
  const [, N, r, p, salt = '', key = ''] = match;
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  if (cost.N > MAX_COST.N || cost.r > MAX_COST.r || cost.p > MAX_COST.p) return null;
  return { cost, salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') };
}
