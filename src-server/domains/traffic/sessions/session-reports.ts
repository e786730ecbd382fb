import type * as z from 'zod';
import type { Logger } from '../../../contract/logger.ts';
import type { SessionReport } from '../contract.ts';

const MAX_RECENT = 50;

export type Report = z.infer<typeof SessionReport>;
export type NotedReport = Report & { atMs: number; cause: string };

export const NOTHING: Report = { step: 'none', connections: 0, left: [], leftCount: 0, offers: [], note: '' };

/** Keeps and logs the last reports in which something was done or left open. */
export function createSessionReports(clock: () => number, log: Logger) {
  const reports: NotedReport[] = [];
  return {
    note(report: Report, cause: string): Report {
      if (report.step === 'none') return report;
      reports.unshift({ atMs: clock(), cause, ...report });
      reports.length = Math.min(reports.length, MAX_RECENT);
      const { step, connections, leftCount } = report;
      log.info('traffic.sessions', { cause, step, connections, left: leftCount });
      return report;
    },
    /** Newest first. */
    recent: (): readonly NotedReport[] => reports,
  };
}
