import { Cron } from 'croner';

/** When a configured job runs. */
export type ScheduleText = { kind: 'every'; intervalMs: number } | { kind: 'cron'; expression: string };

const NAMED: ReadonlyMap<string, string> = new Map([
  ['@hourly', '0 0 * * * *'],
  ['@daily', '0 0 0 * * *'],
  ['@midnight', '0 0 0 * * *'],
  ['@weekly', '0 0 0 * * 0'],
  ['@monthly', '0 0 0 1 * *'],
  ['@yearly', '0 0 0 1 1 *'],
  ['@annually', '0 0 0 1 1 *'],
]);
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const MIN_INTERVAL_MS = 1000;
/** Longest delay of a timer: about 24.8 days. */
const MAX_INTERVAL_MS = 2_147_483_647;

/**
 * Reads a six-field cron expression with seconds, `@every 1h30m`, or one of the names (`@hourly`, `@daily`, …).
 * @returns null when it is none of these, never fires, or its interval is below a second or above 24 days.
 */
export function parseScheduleText(text: string): ScheduleText | null {
  const trimmed = text.trim();
  const named = NAMED.get(trimmed);
  if (named !== undefined) return { kind: 'cron', expression: named };
  const every = /^@every\s+((?:\d+(?:\.\d+)?(?:ms|s|m|h))+)$/.exec(trimmed)?.[1];
  if (every !== undefined) {
    let intervalMs = 0;
    for (const [, amount, unit] of every.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
      intervalMs += Number(amount) * UNIT_MS[unit!]!;
    return intervalMs >= MIN_INTERVAL_MS && intervalMs <= MAX_INTERVAL_MS ? { kind: 'every', intervalMs } : null;
  }
  const expression = trimmed.split(/\s+/).join(' ');
  return expression.split(' ').length === 6 && everFires(expression) ? { kind: 'cron', expression } : null;
}

function everFires(expression: string): boolean {
  try {
    return new Cron(expression, { paused: true, timezone: 'UTC' }).nextRun() !== null;
  } catch {
    // The parser's message names only a detail; the caller shows the whole expression.
    return false;
  }
}
