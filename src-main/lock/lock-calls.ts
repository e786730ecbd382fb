import * as z from 'zod';
import { CONFIRM_FIRST } from '../bridge/lock.ts';
import type { PageResponse, PageRequest } from '../protocol/exchange.ts';
import type { Lock } from './lock.ts';
import { Passphrase } from './passphrase.ts';
import { isSensitive, OPEN_CHANNELS, SENSITIVE_CHANNELS } from './sensitive-calls.ts';

/** Longer than any passphrase that can be set: a wrong one is reported as wrong, not refused for its length. */
export const GivenPassphrase = z.string().max(4_096);
export const LockChoicesInput = z.object({
  current: GivenPassphrase,
  passphrase: Passphrase.nullable().optional(),
  idleMin: z
    .int()
    .min(0)
    .max(24 * 60),
  asksAgain: z.boolean(),
  usesSystem: z.boolean(),
});

type LockState = Pick<Lock, 'isLocked' | 'wantsConfirmation'>;

/** Whether the page may make a call of the bridge now. @throws {Error} that names what has to come first */
export function checkChannel(lock: LockState, channel: string): void {
  if (lock.isLocked() && !OPEN_CHANNELS.has(channel)) throw new Error('the window is locked');
  if (SENSITIVE_CHANNELS.has(channel) && lock.wantsConfirmation()) throw new Error(CONFIRM_FIRST);
}

/** Sends nothing to a panel while the window is locked, and sensitive calls only after a confirmation. */
export function lockedForward(
  lock: LockState,
  forward: (request: PageRequest) => Promise<PageResponse>,
): (request: PageRequest) => Promise<PageResponse> {
  return async (request) => {
    if (lock.isLocked()) return refusal('the window is locked', 'desktop.locked');
    const path = decodedPath(request.path);
    if ((path === null || isSensitive(path)) && lock.wantsConfirmation())
      return refusal('this has to be confirmed first', CONFIRM_FIRST);
    return forward(request);
  };
}

/** The path as the panel will read it; null: malformed. */
function decodedPath(path: string): string | null {
  try {
    return new URL(path, 'http://panel/').pathname
      .split('/')
      .map((part) => encodeURIComponent(decodeURIComponent(part)))
      .join('/');
  } catch {
    return null;
  }
}

/** In the format of a panel's own refusals. */
function refusal(msg: string, code: string): PageResponse {
  const body = Buffer.from(JSON.stringify({ success: false, msg, obj: null, error: { code, params: {} } }));
  return { status: 423, headers: { 'content-type': 'application/json', 'x-error-code': code }, body };
}
