import type { BackupsChoices } from '../../bridge/maintenance.ts';

const DAY_MIN = 1_440;
/** Panels without their own time are spread over this period. */
const SPREAD_MIN = 60;
/** Delay of the retry after a failure. */
export const AGAIN_MS = 3_600_000;

/** Minutes after midnight of this computer at which a panel is backed up; the same for the same panel every day. */
export function minuteOf(panelId: string, { atMin, ownAtMin }: Pick<BackupsChoices, 'atMin' | 'ownAtMin'>): number {
  const own = ownAtMin[panelId];
  if (own !== undefined) return own;
  let sum = 7;
  for (const letter of panelId) sum = (sum * 31 + letter.codePointAt(0)!) % 65_521;
  return (atMin + (sum % SPREAD_MIN)) % DAY_MIN;
}

/** The last moment at which a backup of this panel was due, in ms. */
export function lastDueMs(panelId: string, choices: BackupsChoices, nowMs: number): number {
  const now = new Date(nowMs);
  const minute = minuteOf(panelId, choices);
  const [hour, rest] = [Math.floor(minute / 60), minute % 60];
  const onDay = (day: number): number => new Date(now.getFullYear(), now.getMonth(), day, hour, rest).getTime();
  // Not all days have 24 hours.
  const today = onDay(now.getDate());
  return today <= nowMs ? today : onDay(now.getDate() - 1);
}

/**
 * Whether a panel must be backed up now: no backup since it was due, and the last failure is long enough ago. A backup
 * that fell due while this computer was off is due at once.
 */
export function isDue(
  panelId: string,
  choices: BackupsChoices,
  { takenAtMs, failedAtMs }: { takenAtMs: number; failedAtMs: number },
  nowMs: number,
): boolean {
  if (!choices.isOn || choices.off.includes(panelId)) return false;
  return takenAtMs < lastDueMs(panelId, choices, nowMs) && failedAtMs <= nowMs - AGAIN_MS;
}
