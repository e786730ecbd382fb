import { isIPv6 } from 'node:net';
import { SIGN_IN_LOCK } from '../contract.ts';
import { createFailureLimiter, type LimiterRule } from './failure-limiter.ts';

const MINUTE_MS = 60_000;
/** For addresses from which an admin signed in within this time, limits that strangers can exhaust do not apply. */
const KNOWN_FOR_MS = 24 * 60 * MINUTE_MS;
const MAX_KNOWN = 1_000;

const PER_PAIR: LimiterRule = {
  threshold: SIGN_IN_LOCK.failures,
  windowMs: SIGN_IN_LOCK.windowMs,
  blockMs: SIGN_IN_LOCK.blockMs,
  maxRecords: 10_000,
};
const PER_ADDRESS: LimiterRule = {
  threshold: 50,
  windowMs: 15 * MINUTE_MS,
  blockMs: 15 * MINUTE_MS,
  maxRecords: 10_000,
};
const PER_ACCOUNT: LimiterRule = {
  threshold: 100,
  windowMs: 15 * MINUTE_MS,
  blockMs: 15 * MINUTE_MS,
  maxRecords: 10_000,
};
const OVERALL: LimiterRule = { threshold: 300, windowMs: 15 * MINUTE_MS, blockMs: 5 * MINUTE_MS, maxRecords: 1 };

/** An accepted attempt; exactly one of the three ends it, further calls do nothing. */
export interface Attempt {
  succeeded(): void;
  failed(): void;
  /** Nothing was checked after all. */
  abandoned(): void;
}

/**
 * Decides whether a password may be tried at all: per address and account (5 failures in 5 minutes block for 15), per
 * address (50 in 15 minutes; an IPv6 /64 network counts as one address), per account (100) and overall (300). Strangers
 * can exhaust the last two, so they do not apply to addresses with a recent success.
 *
 * @param monotonic ms that no change of the wall clock shortens or prolongs
 */
export function createAttemptGuard(monotonic: () => number) {
  const pairs = createFailureLimiter(PER_PAIR, monotonic);
  const addresses = createFailureLimiter(PER_ADDRESS, monotonic);
  const accounts = createFailureLimiter(PER_ACCOUNT, monotonic);
  const overall = createFailureLimiter(OVERALL, monotonic);
  const knownSince = new Map<string, number>();

  function remember(network: string): void {
    knownSince.delete(network);
    const [oldest] = knownSince.keys();
    if (knownSince.size >= MAX_KNOWN && oldest !== undefined) knownSince.delete(oldest);
    knownSince.set(network, monotonic());
  }

  return {
    /** @returns null when this address, account or the whole panel has to wait. */
    begin(address: string, username: string): Attempt | null {
      const account = username.trim().toLowerCase();
      const network = networkOf(address.trim());
      const isKnown = (knownSince.get(network) ?? -Infinity) > monotonic() - KNOWN_FOR_MS;
      const limits = [
        { limiter: pairs, key: `${address.trim()}\0${account}` },
        { limiter: addresses, key: network },
        ...(isKnown
          ? []
          : [
              { limiter: accounts, key: account },
              { limiter: overall, key: '' },
            ]),
      ];
      const closed = limits.findIndex(({ limiter, key }) => !limiter.begin(key));
      if (closed !== -1) {
        for (const { limiter, key } of limits.slice(0, closed)) limiter.settle(key, 'void');
        return null;
      }
      let isSettled = false;
      const settle = (first: 'failed' | 'forgiven' | 'void', others: 'failed' | 'void') => {
        if (isSettled) return;
        isSettled = true;
        for (const { limiter, key } of limits) limiter.settle(key, limiter === pairs ? first : others);
      };
      return {
        succeeded() {
          settle('forgiven', 'void');
          remember(network);
        },
        failed: () => settle('failed', 'failed'),
        abandoned: () => settle('void', 'void'),
      };
    },
  };
}
export type AttemptGuard = ReturnType<typeof createAttemptGuard>;

/** One customer's IPv6 network has more addresses than any limiter has records. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].slice(0, 4).join(':');
}
