import type { Schedule, Timer } from '../../contract/schedule.ts';
import { parseScheduleText } from '../settings/checks/schedule-text.ts';
import type { SettingsSnapshot } from '../settings/snapshot.ts';

export interface ReportScheduleDeps {
  settings: Pick<SettingsSnapshot, 'current'>;
  schedule: Pick<Schedule, 'every' | 'cron'>;
  /** Runs at every moment the settings name. */
  sendReport: () => Promise<void>;
}

/** The timer of the bot's report. */
export function createReportSchedule({ settings, schedule, sendReport }: ReportScheduleDeps) {
  let report: Timer | null = null;
  let isClosed = false;
  return {
    /** Follows the settings as they are now: none while the bot is off, or without a valid schedule. */
    plan(): void {
      report?.cancel();
      report = null;
      const { tgBotEnable, tgRunTime, timeLocation } = settings.current();
      const when = parseScheduleText(tgRunTime);
      if (isClosed || !tgBotEnable || when === null) return;
      report =
        when.kind === 'every'
          ? schedule.every(when.intervalMs, sendReport)
          : schedule.cron(when.expression, timeLocation === 'Local' ? '' : timeLocation, sendReport);
    },
    close(): void {
      isClosed = true;
      report?.cancel();
    },
  };
}
