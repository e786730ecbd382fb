import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { coreLogs, panelLogs } from '#contract/logs';
import { useCall } from '../../api/transport-context.tsx';
import {
  CORE_MARK,
  KINDS,
  readAccess,
  readPanelLine,
  type Kind,
  type Level,
  type LogLine,
  type Source,
} from './log-line.ts';
import { mergeTail } from './merge-tail.ts';

/** Most lines the page holds. */
const MAX_LINES = 5_000;
/** Lines fetched when polling: more than a busy panel writes in between. */
const TAIL_LINES = 500;
const LOOK_EVERY_MS = 2_000;

export interface LogQuery {
  source: Source;
  level: Level;
  /** Kinds of access to leave out. */
  hidden: readonly Kind[];
  filter: string;
}

/** The end of a log, extended while the page is open. */
export function useLog(query: LogQuery, isPaused: boolean) {
  const { t } = useTranslation('logs');
  const call = useCall();
  const cache = useQueryClient();
  const queryKey = ['logs', query];
  const gap: LogLine = { time: '', text: t('skipped'), level: null, kind: null };

  async function fetchLines(count: number, signal: AbortSignal): Promise<LogLine[]> {
    const { source, level, hidden, filter } = query;
    const params = { count: String(count) };
    if (source === 'access') {
      const [showDirect, showBlocked, showProxy] = KINDS.map((kind) => !hidden.includes(kind));
      const body = { filter, showDirect, showBlocked, showProxy, format: 'entries' as const };
      const entries = await call(coreLogs, { params, body }, signal);
      const offset = (ms: number): number => new Date(ms).getTimezoneOffset();
      return Array.isArray(entries) ? entries.map((entry) => readAccess(entry, offset)) : [];
    }
    const isCore = source === 'core';
    const body = { level, filter: isCore ? CORE_MARK : filter };
    const text = await call(panelLogs, { params, body }, signal);
    return text
      .split('\n')
      .filter((line) => line !== '' && line.includes(` - ${CORE_MARK}`) === isCore && line.includes(filter))
      .map(readPanelLine);
  }

  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const held = cache.getQueryData<readonly LogLine[]>(queryKey) ?? [];
      const tail = await fetchLines(held.length === 0 ? MAX_LINES : TAIL_LINES, signal);
      return mergeTail(held, tail, { gap, most: MAX_LINES, isSame: isSameLine });
    },
    refetchInterval: isPaused ? false : LOOK_EVERY_MS,
    structuralSharing: false,
    gcTime: 0,
  });
}

function isSameLine(a: LogLine, b: LogLine): boolean {
  return a.time === b.time && a.text === b.text && a.level === b.level && a.kind === b.kind;
}
