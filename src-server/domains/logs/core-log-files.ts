import { copyFile, stat, truncate } from 'node:fs/promises';
import { join, win32 } from 'node:path';
import type { Json, JsonObject } from '../../contract/json.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Schedule, Timer } from '../../contract/schedule.ts';
import type { OutboundKinds } from './access-line.ts';

const LOOK_EVERY_MS = 10 * 60_000;
const LARGEST_BYTES = 64 * 1024 * 1024;

/** Path of a core log, which the config restricts to the log folder; null when the log is disabled. */
export function coreLogFile(template: JsonObject, key: 'access' | 'error', logDir: string): string | null {
  const log: Json | undefined = template['log'];
  const named = isObject(log) ? log[key] : undefined;
  if (typeof named !== 'string' || named === '' || named === 'none') return null;
  const name = win32.basename(named);
  return name === '' || name === '.' || name === '..' || name.includes(':') ? null : join(logDir, name);
}

/** Outbounds by type. If a type is missing, its usual tag is used. */
export function outboundKinds(template: JsonObject): OutboundKinds {
  const outbounds = Array.isArray(template['outbounds']) ? template['outbounds'].filter(isObject) : [];
  const tagsOf = (protocol: string, usual: string): Set<string> => {
    const tags = outbounds.flatMap((outbound) =>
      outbound['protocol'] === protocol && typeof outbound['tag'] === 'string' ? [outbound['tag']] : [],
    );
    return new Set(tags.length === 0 ? [usual] : tags);
  };
  return { direct: tagsOf('freedom', 'direct'), blocked: tagsOf('blackhole', 'blocked') };
}

/**
 * Keeps each core log below 64 MiB, with one copy of the previous content. The core keeps its log file open, so the
 * file is truncated, not replaced.
 */
export function limitCoreLogs(options: {
  template: () => Promise<JsonObject>;
  logDir: string;
  schedule: Schedule;
  log: Logger;
}): Timer {
  const { template, logDir, schedule, log } = options;
  return schedule.every(LOOK_EVERY_MS, async () => {
    const present = await template();
    for (const key of ['access', 'error'] as const) {
      const path = coreLogFile(present, key, logDir);
      if (path === null || (await sizeOf(path)) <= LARGEST_BYTES) continue;
      await copyFile(path, `${path}.prev`).catch((error: unknown) => log.warn('logs.noCopy', { path, error }));
      await truncate(path, 0);
      log.info('logs.emptied', { path });
    }
  });
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
