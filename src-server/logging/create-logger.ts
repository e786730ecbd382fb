import { join } from 'node:path';
import type { Logger } from '../contract/logger.ts';
import { redact } from './redact.ts';
import { openRotatingFile } from './rotating-file.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const MAX_FILE_BYTES = 5 * 1024 * 1024;
const MAX_FILES = 5;

export interface LoggerOptions {
  /** Lines below this level are left out. */
  level: LogLevel;
  clock: () => number;
  /** Folder whose `logs/panel.log` and its four predecessors hold the log, each up to 5 MiB; null = no file. */
  dataDir: string | null;
  /** Also receives every line as it happens; null = nowhere. */
  stream: NodeJS.WritableStream | null;
  /** Size of one file in bytes. */
  maxFileBytes?: number;
}

/** Path of the current log file of a data folder. */
export function logFile(dataDir: string): string {
  return join(dataDir, 'logs', 'panel.log');
}

/**
 * Structured log: one JSON object per line with `time`, `level`, `event` and, when there are any, `fields`. Secrets are
 * redacted by field name, texts are bounded, and control characters are escaped, so a line is always one line.
 */
export function createLogger(options: LoggerOptions): Logger & { close(): Promise<void> } {
  const { level, clock, dataDir, stream } = options;
  const lowest = LOG_LEVELS.indexOf(level);
  // A reader that went away (closed terminal, ended launcher) must not end the panel.
  stream?.on('error', () => undefined);

  const format = (lineLevel: LogLevel, event: string, fields: Record<string, unknown> | undefined) => {
    const line = {
      time: new Date(clock()).toISOString(),
      level: lineLevel,
      event,
      ...(fields === undefined || Object.keys(fields).length === 0 ? {} : { fields: redact(fields) }),
    };
    return `${escapeInvisible(JSON.stringify(line))}\n`;
  };
  const file =
    dataDir === null
      ? null
      : openRotatingFile({
          file: logFile(dataDir),
          maxBytes: options.maxFileBytes ?? MAX_FILE_BYTES,
          maxFiles: MAX_FILES,
          onTrouble: (error) => stream?.write(format('error', 'log.fileFailed', { error })),
        });

  const at =
    (lineLevel: LogLevel) =>
    (event: string, fields?: Record<string, unknown>): void => {
      if (LOG_LEVELS.indexOf(lineLevel) < lowest) return;
      const line = format(lineLevel, event, fields);
      stream?.write(line);
      file?.write(line);
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    async close() {
      await file?.close();
    },
  };
}

/**
 * JSON leaves these unescaped: delete and C1 controls drive terminals, line and paragraph separators break lines in
 * some viewers, and direction marks make a line read differently.
 */
function escapeInvisible(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
