import type { CertificateFacts, CertificateSpec } from './contract.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Part of the lifetime after which a certificate is renewed, and how much earlier at most. */
const RENEW_AFTER = 2 / 3;
const JITTER = 1 / 20;
/** Authorities count failures by the hour and by the week. */
const MAX_BACK_OFF_MS = DAY_MS;
/** Authorities make nobody wait longer. */
const LONGEST_WAIT_MS = 8 * DAY_MS;

/** What decides whether to renew a certificate. */
export interface Renewable {
  spec: Pick<CertificateSpec, 'source' | 'names'>;
  /** Null = its file is missing. */
  facts: CertificateFacts | null;
  isObtained: boolean;
  isRevoked: boolean;
  nextTryAtMs: number;
  nowMs: number;
}

/**
 * When the panel renews automatically, ms since 1970; 0 = never. After two thirds of the lifetime, or up to a twentieth
 * earlier, so that panels set up at the same time do not all renew at the same time. Immediately if the file is missing
 * or the names have changed.
 */
export function renewsAtMs({ spec, facts, isObtained, isRevoked, nextTryAtMs, nowMs }: Renewable): number {
  // Clients pin a self-signed one; a first order, and one after a revocation, is up to the operator.
  if (spec.source === 'selfSigned' || !isObtained || isRevoked) return 0;
  const dueAtMs = facts === null || !isFor(facts, spec.names) ? 1 : dueAt(facts);
  // Set while the clock was ahead.
  if (nextTryAtMs - nowMs > LONGEST_WAIT_MS) return dueAtMs;
  return Math.max(dueAtMs, nextTryAtMs);
}

function dueAt({ validFrom, validTo, pin }: CertificateFacts): number {
  // Derived from its hash, so that it never varies.
  const share = Number.parseInt(pin.slice(0, 8), 16) / 0xffff_ffff;
  return Math.round(validFrom + (validTo - validFrom) * (RENEW_AFTER - JITTER * share));
}

export function isFor({ names }: CertificateFacts, wanted: readonly string[]): boolean {
  const carried = new Set(names.map((name) => name.toLowerCase()));
  return carried.size === wanted.length && wanted.every((name) => carried.has(name));
}

/**
 * Pause before the next automatic order: an hour after the first failure, doubled after each further one, a day at
 * most, and never shorter than the authority asks for.
 */
export function backOffMs(failures: number, retryAfterMs: number): number {
  const own = Math.min(HOUR_MS * 2 ** Math.max(failures - 1, 0), MAX_BACK_OFF_MS);
  return Math.max(own, retryAfterMs);
}
