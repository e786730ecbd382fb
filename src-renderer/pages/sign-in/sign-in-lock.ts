import * as z from 'zod';
import { SIGN_IN_LOCK } from '#contract/session';

const KEY = 'signInFailures';
/** Failures of one user name at one panel. Times in ms since the epoch. */
const Attempts = z.object({ failures: z.array(z.number()), lockedUntilMs: z.number() });
const Records = z.record(z.string(), Attempts);
const NOTHING: z.infer<typeof Attempts> = { failures: [], lockedUntilMs: 0 };

/**
 * The refused sign-ins of this tab to one panel, by user name. The panel answers a locked name as it answers a wrong
 * password, so that strangers learn nothing; the rule is known, so this page can explain the refusal to the admin.
 * @param panel its address: the window signs in to several, often by one name
 */
export function signInLockOf(panel: string) {
  const keyOf = (username: string): string => `${username.trim().toLowerCase()} ${panel}`;
  const recordOf = (username: string): z.infer<typeof Attempts> => records()[keyOf(username)] ?? NOTHING;
  function store(username: string, record: z.infer<typeof Attempts>): void {
    sessionStorage.setItem(KEY, JSON.stringify({ ...records(), [keyOf(username)]: record }));
  }
  return {
    /** When the name may be tried again, in ms since the epoch; 0 when it may be at once. */
    untilMs(username: string, nowMs: number): number {
      const { lockedUntilMs } = recordOf(username);
      return lockedUntilMs > nowMs ? lockedUntilMs : 0;
    },
    /** How many more failures lock the name. */
    attemptsLeft: (username: string, nowMs: number): number =>
      SIGN_IN_LOCK.failures - recent(recordOf(username).failures, nowMs).length,
    failed(username: string, nowMs: number): void {
      const failures = [...recent(recordOf(username).failures, nowMs), nowMs];
      const isLocked = failures.length >= SIGN_IN_LOCK.failures;
      store(
        username,
        isLocked ? { failures: [], lockedUntilMs: nowMs + SIGN_IN_LOCK.blockMs } : { ...NOTHING, failures },
      );
    },
    succeeded: (username: string): void => store(username, NOTHING),
  };
}

const recent = (failures: readonly number[], nowMs: number): number[] =>
  failures.filter((atMs) => atMs > nowMs - SIGN_IN_LOCK.windowMs);

/** Survives a reload of the page, as the panel's own count does. */
function records(): z.infer<typeof Records> {
  try {
    return Records.parse(JSON.parse(sessionStorage.getItem(KEY) ?? '{}'));
  } catch {
    return {};
  }
}
