import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import type { UpdateStatus } from './contract.ts';
import { createReleases, type ReleasesDeps } from './releases.ts';
import { readRun, readUpdaterPid, writeRun, writeUpdaterPid } from './run-record.ts';
import { isNewer } from './versions.ts';

/** After this time a run is given up, unless its process lives. */
const PATIENCE_MS = 20 * 60_000;
/** Longest time of a run. */
const CEILING_MS = 2 * 3_600_000;

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

export interface PanelUpdateDeps extends ReleasesDeps {
  /** File that survives a replacement of the program. */
  statusFile: string;
  channel: { read(): Promise<boolean>; write(isDev: boolean): Promise<void> };
  isAlive?: (pid: number) => boolean;
  clock: () => number;
  log: Logger;
}
export type PanelUpdateService = ReturnType<typeof createPanelUpdateService>;

/** The panel's own update: requested here, done by the updater of this installation. One run at a time. */
export function createPanelUpdateService(deps: PanelUpdateDeps) {
  const { version, updater, statusFile, channel, isAlive = lives, clock, log } = deps;
  const { info, targetOf } = createReleases(deps);
  let slot: { runId: string; startedAtMs: number; pid: number | null } | null = null;

  async function isFree(): Promise<boolean> {
    if (slot === null) return true;
    const { runId, state } = await readRun(statusFile);
    // A record of another run says nothing about this one.
    if (runId === slot.runId && state !== 'pending') return true;
    const ageMs = clock() - slot.startedAtMs;
    if (ageMs < PATIENCE_MS) return false;
    return ageMs >= CEILING_MS || slot.pid === null || !isAlive(slot.pid);
  }

  return {
    /** @throws {DomainError} `panelUpdate.unknown`, without a text */
    info,

    /**
     * @param dev overrides the channel for this run; absent = the chosen channel
     * @throws {DomainError} `panelUpdate.unavailable`, `panelUpdate.running`, `panelUpdate.failed`, `panelUpdate.badFlag`
     */
    async start(dev: string | boolean | undefined): Promise<{ runId: string }> {
      const isDev = dev === undefined || dev === '' ? await channel.read() : flagOf(dev);
      if (updater === null) throw new DomainError('panelUpdate.unavailable');
      const seen = slot;
      // Another request may have started a run meanwhile.
      if (!(await isFree()) || slot !== seen) throw new DomainError('panelUpdate.running');
      const runId = String(BigInt(clock()) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n));
      slot = { runId, startedAtMs: clock(), pid: null };
      try {
        const targetVersion = await targetOf();
        const pending = { runId, state: 'pending', message: '', exitCode: 0, finishedAt: 0, targetVersion } as const;
        // Before the start: the updater writes here, and may end this process.
        await writeRun(statusFile, pending);
        const run = { runId, channel: isDev ? 'dev' : 'stable', targetVersion, statusFile } as const;
        const { pid } = await updater.start(run);
        slot.pid = pid;
        log.info('panelUpdate.started', { runId, targetVersion, pid });
        if (pid !== null) await writeUpdaterPid(statusFile, { runId, pid });
        return { runId };
      } catch (error) {
        slot = null;
        if (error instanceof DomainError) throw error;
        const text = error instanceof Error ? error.message : String(error);
        const finishedAt = Math.floor(clock() / 1000);
        const failed = { runId, state: 'failed', message: text.slice(0, 4000), exitCode: 1, finishedAt } as const;
        await writeRun(statusFile, { ...failed, targetVersion: '' });
        throw new DomainError('panelUpdate.failed', { text }, { cause: error });
      }
    },

    async status(): Promise<UpdateStatus> {
      const { runId, state, message, exitCode, finishedAt } = await readRun(statusFile);
      return { runId, status: state, state, message, exitCode, finishedAt };
    },

    /** At the start of the panel: settles a run that ended with this start. */
    async settle(): Promise<void> {
      const record = await readRun(statusFile);
      if (record.runId === '0' || record.state !== 'pending') return;
      const hasArrived = record.targetVersion !== '' && !isNewer(record.targetVersion, version);
      const pid = await readUpdaterPid(statusFile, record.runId);
      if (!hasArrived && pid !== null && isAlive(pid)) return;
      const message = hasArrived ? '' : `The panel was not updated: it is still version ${version}.`;
      const finishedAt = Math.floor(clock() / 1000);
      const result = hasArrived
        ? ({ state: 'success', exitCode: 0 } as const)
        : ({ state: 'failed', exitCode: 1 } as const);
      await writeRun(statusFile, { ...record, ...result, message, finishedAt });
    },

    /** @throws {DomainError} `panelUpdate.badFlag` */
    async setChannel(dev: string | boolean | undefined): Promise<null> {
      await channel.write(flagOf(dev ?? ''));
      return null;
    },
  };
}

function flagOf(value: string | boolean): boolean {
  const text = String(value);
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw new DomainError('panelUpdate.badFlag', { value: JSON.stringify(text) });
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
