import type { Logger } from '../../contract/logger.ts';
import { openChannel } from '../api/channel.ts';
import type { CoreApi } from '../api/core-api.ts';
import { createCoreApi } from '../api/core-api.ts';
import { parseListenText } from '../api/endpoint.ts';
import { endForeignProcess } from './end-process.ts';
import type { PidRecord } from './pid-file.ts';
import { readPidFile, removePidFile } from './pid-file.ts';
import type { ProcessEntry } from './process-table.ts';
import { runningCores } from './process-table.ts';
import { isSamePlace, processOfRecord } from './recorded-core.ts';

export interface OrphanDeps {
  pidFile: string;
  /** Absolute path of this panel's own config file, which is on the command line of every core we start. */
  configPath: string;
  log: Logger;
  /** Reads the counters of a core that answers, calls `end`, and commits the counters. */
  countToTheEnd: (api: CoreApi, bootId: string, end: () => Promise<void>) => Promise<void>;
}

/**
 * Ends cores left over from a panel that was killed: after this none is alive. They are found by the pid file together
 * with the path of their executable, and by our config on their command line; never by name.
 * @throws when one is still alive; then no new core may be started
 */
export async function endOrphans({ pidFile, configPath, log, countToTheEnd }: OrphanDeps): Promise<void> {
  const record = readPidFile(pidFile);
  const recorded = record === null ? null : await processOfRecord(record, configPath);

  const endOne = async (entry: ProcessEntry): Promise<void> => {
    if (!(await endForeignProcess(entry)))
      throw new Error(`An older core (process ${entry.pid}) is still running and could not be ended.`);
    log.info('core.orphanEnded', { pid: entry.pid });
  };
  if (record !== null && recorded !== null) {
    log.warn('core.orphan', { pid: recorded.pid, startedAtMs: record.startedAtMs });
    await countAndEnd(record, () => endOne(recorded), countToTheEnd, log);
  }
  for (const entry of await runningCores()) if (await isSamePlace(entry.config, configPath)) await endOne(entry);
  removePidFile(pidFile);
}

async function countAndEnd(
  record: PidRecord,
  end: () => Promise<void>,
  countToTheEnd: OrphanDeps['countToTheEnd'],
  log: Logger,
): Promise<void> {
  const endpoint = parseListenText(record.apiListen);
  const channel = endpoint === null ? null : openChannel(endpoint);
  try {
    const api = channel === null ? null : createCoreApi(channel);
    const isResponding = api?.uptimeSec(2_000).then(
      () => true,
      (error: unknown) => {
        log.warn('core.orphanSilent', { pid: record.pid, error: String(error) });
        return false;
      },
    );
    if (api !== null && (await isResponding) === true) await countToTheEnd(api, record.bootId, end);
    else await end();
  } finally {
    channel?.close();
  }
}
