import type { KeepingRule } from '../../bridge/maintenance.ts';

const DAY_MS = 86_400_000;

interface Dated {
  takenAtMs: number;
  state: 'good' | 'damaged' | 'unchecked';
}

/**
 * Which backups of one panel may be deleted: of those that are not damaged, the last one of each of the newest days,
 * weeks and months stays, and so does everything of the last day. Damaged ones go once an intact one is newer.
 */
export function outdated<T extends Dated>(backups: readonly T[], rule: KeepingRule, nowMs: number): T[] {
  const newestFirst = backups.toSorted((one, other) => other.takenAtMs - one.takenAtMs);
  const sound = newestFirst.filter(({ state }) => state !== 'damaged');
  const kept = new Set<T>(newestFirst.filter(({ takenAtMs }) => takenAtMs > nowMs - DAY_MS));
  const keepOneEach = (count: number, periodOf: (date: Date) => string): void => {
    const periods = new Set<string>();
    for (const backup of sound) {
      if (periods.size >= count) return;
      const period = periodOf(new Date(backup.takenAtMs));
      if (periods.has(period)) continue;
      periods.add(period);
      kept.add(backup);
    }
  };
  keepOneEach(Math.max(1, rule.daily), (date) => `${date.getFullYear()} ${date.getMonth()} ${date.getDate()}`);
  keepOneEach(rule.weekly, weekOf);
  keepOneEach(rule.monthly, (date) => `${date.getFullYear()} ${date.getMonth()}`);
  const soundMs = sound.find(({ state }) => state === 'good')?.takenAtMs ?? 0;
  return newestFirst.filter(
    (backup) => !kept.has(backup) && (backup.state !== 'damaged' || backup.takenAtMs < soundMs),
  );
}

/** Weeks begin on Monday, by the days of this computer. */
function weekOf(date: Date): string {
  const monday = new Date(date.getFullYear(), date.getMonth(), date.getDate() - ((date.getDay() + 6) % 7));
  return `${monday.getFullYear()} ${monday.getMonth()} ${monday.getDate()}`;
}
