import * as z from 'zod';
import type { MachineFigures, PanelMatter } from '../../bridge/panels.ts';
import type { Link } from '../../connections/link.ts';
import { readCall, ReadFailure } from './limited-call.ts';
import { Figure, Percent, Text, listOf } from './tolerant.ts';

const LIMITS = { ms: 8_000, bytes: 256 * 1024 };
/** Usage of the volume in percent that needs the operator. */
const DISK_FULL_PCT = 95;
const MAX_LEFT_OUT = 20;

const Share = z.object({ current: Figure, total: Figure }).nullable().catch(null);
const Core = z.object({
  state: z.enum(['running', 'stop', 'error']).or(z.literal('')).catch(''),
  errorMsg: Text,
  version: Text,
  restarts: Figure,
  leftOut: listOf(z.object({ kind: Text, name: Text, reason: Text }), MAX_LEFT_OUT),
});
/** Older and other panels call it after their core. */
const Status = z.object({
  cpu: Percent,
  mem: Share,
  disk: Share,
  core: Core.nullable().catch(null),
  xray: Core.nullable().catch(null),
  panelVersion: Text,
  web: z.object({ problem: Text }).catch({ problem: '' }),
  uptime: Figure,
  netIO: z.object({ up: Figure, down: Figure }).catch({ up: null, down: null }),
});

export interface StatusReading {
  machine: MachineFigures;
  matters: PanelMatter[];
}

/** The present state of a panel. @throws {ReadFailure} */
export async function readStatus(link: Link): Promise<StatusReading> {
  let result: unknown;
  try {
    result = await readCall(link, { path: '/panel/api/server/status' }, LIMITS);
  } catch (error) {
    // Other panels answer "not found" to strangers.
    if (error instanceof ReadFailure && error.trouble === 'absent') throw new ReadFailure('refused', error.message);
    throw error;
  }
  const read = Status.safeParse(result);
  const core = read.data?.core ?? read.data?.xray ?? null;
  if (!read.success || core === null)
    throw new ReadFailure('wrong', 'what it tells of itself is not what a panel tells');
  const { cpu, mem, disk, panelVersion, web, uptime, netIO } = read.data;
  const machine: MachineFigures = {
    cpuPct: cpu,
    memPct: shareOf(mem),
    diskPct: shareOf(disk),
    upPerSec: netIO.up,
    downPerSec: netIO.down,
    uptimeSec: uptime,
    panelVersion,
    coreVersion: core.version === 'Unknown' ? '' : core.version,
    coreState: core.state,
    coreError: core.errorMsg,
    coreRestarts: core.restarts,
  };
  return { machine, matters: mattersOf(machine, core.leftOut, web.problem) };
}

function shareOf(share: { current: number | null; total: number | null } | null): number | null {
  if (share === null || share.current === null || share.total === null || share.total === 0) return null;
  return Math.min(100, (100 * share.current) / share.total);
}

function mattersOf(
  { coreState, coreError, diskPct }: MachineFigures,
  leftOut: readonly { name: string; reason: string }[],
  webProblem: string,
): PanelMatter[] {
  const matters: PanelMatter[] = [];
  if (coreState === 'error') matters.push({ kind: 'coreError', name: '', value: 0, words: coreError });
  if (coreState === 'stop') matters.push({ kind: 'coreStopped', name: '', value: 0, words: '' });
  if (webProblem !== '') matters.push({ kind: 'web', name: '', value: 0, words: webProblem });
  if (diskPct !== null && diskPct >= DISK_FULL_PCT)
    matters.push({ kind: 'disk', name: '', value: Math.round(diskPct), words: '' });
  for (const { name, reason } of leftOut) matters.push({ kind: 'leftOut', name, value: 0, words: reason });
  return matters;
}
