import type { JsonObject } from '../../contract/json.ts';
import { parseAccessLine, type AccessClass } from './access-line.ts';
import type { AccessEntry } from './contract.ts';
import { coreLogFile, outboundKinds } from './core-log-files.ts';
import { linesFromEnd } from './lines-from-end.ts';
import type { LogRing, RingLevel } from './log-ring.ts';
import { texts } from './texts.ts';

const MAX_LINES = 10_000;

/** Least severe record of each level name; the panel itself logs nothing between warn and info. */
const LOWEST = new Map<string, RingLevel | null>([
  ['critical', null],
  ['error', 'error'],
  ['warning', 'warn'],
  ['notice', 'warn'],
  ['info', 'info'],
  ['debug', 'debug'],
]);

export interface AccessLogQuery {
  filter: string;
  hidden: ReadonlySet<AccessClass>;
}
export type LogService = ReturnType<typeof createLogService>;

export function createLogService(deps: {
  ring: Pick<LogRing, 'last'>;
  template: () => Promise<JsonObject>;
  logDir: string;
}) {
  const { ring, template, logDir } = deps;

  /** Newest first, until enough are found. */
  async function matching(count: number, { filter, hidden }: AccessLogQuery) {
    const found: { line: string; entry: AccessEntry | null }[] = [];
    const present = await template();
    const path = coreLogFile(present, 'access', logDir);
    if (path === null || count === 0) return found;
    const kinds = outboundKinds(present);
    for await (const lines of linesFromEnd(path)) {
      for (const line of lines) {
        if (line.trim() === '' || line.includes('api -> api') || !line.includes(filter)) continue;
        const entry = parseAccessLine(line, kinds);
        if (entry !== null && hidden.has(entry.Event as AccessClass)) continue;
        found.push({ line, entry });
        if (found.length >= count) return found;
      }
    }
    return found;
  }

  return {
    /** @param count text from the path: invalid or below 1 = no lines, 10,000 at most */
    panelLog(count: string, options: { level?: string | undefined; isSyslog: boolean; filter: string }): string {
      if (options.isSyslog) return texts['logs.noSyslog']!;
      const level = options.level?.trim().toLowerCase() ?? '';
      const lowest = LOWEST.get(level === '' ? 'info' : level);
      return ring.last(countOf(count), lowest === undefined ? 'error' : lowest, options.filter).join('\n');
    },
    coreLog: async (count: string, query: AccessLogQuery): Promise<string> =>
      (await matching(countOf(count), query))
        .map(({ line }) => line)
        .toReversed()
        .join('\n'),
    coreLogEntries: async (count: string, query: AccessLogQuery): Promise<AccessEntry[]> =>
      (await matching(countOf(count), query)).flatMap(({ entry }) => (entry === null ? [] : [entry])).toReversed(),
  };
}

function countOf(text: string): number {
  return /^\d{1,9}$/.test(text) ? Math.min(MAX_LINES, Number(text)) : 0;
}
