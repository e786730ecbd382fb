import type { ActivePanel, ServerStatus } from './contract.ts';
import type { MachineFigures } from './machine/machine-types.ts';

/** The core in the status response. */
export interface ShownCore {
  state: 'running' | 'stop' | 'error';
  version: string;
  errorText: string;
  startedAtMs: number | null;
  pid: number | null;
  restarts: { count: number; lastAtMs: number | null };
  leftOut: readonly { kind: string; name: string; reason: string }[];
}

export interface PanelIdentity {
  version: string;
  pid: number;
  /** Stable identity of this panel among its masters and nodes. */
  guid: string;
}

/** Metrics and states → API. */
export function presentStatus(
  figures: MachineFigures,
  core: ShownCore,
  panel: PanelIdentity & { webProblem: string | null; active: ActivePanel | null },
  nowMs: number,
): ServerStatus {
  const [load1, load5, load15] = figures.load.map(twoDecimals) as [number, number, number];
  return {
    cpu: twoDecimals(figures.cpuPercent),
    cpuCores: figures.physicalCores,
    logicalPro: figures.logicalProcessors,
    cpuSpeedMhz: figures.cpuMhz,
    mem: { current: figures.memory.used, total: figures.memory.total },
    swap: { current: figures.swap.used, total: figures.swap.total },
    disk: { current: figures.disk.used, total: figures.disk.total },
    diskIO: { read: figures.diskRate.readBytes, write: figures.diskRate.writtenBytes },
    diskTraffic: { read: figures.diskTotal.readBytes, write: figures.diskTotal.writtenBytes },
    core: {
      state: core.state,
      errorMsg: core.state === 'running' ? '' : core.errorText,
      version: core.version,
      pid: core.state === 'running' ? core.pid : null,
      restarts: core.restarts.count,
      lastRestart: core.restarts.lastAtMs ?? 0,
      leftOut: core.leftOut.map(({ kind, name, reason }) => ({ kind, name, reason })),
    },
    panelVersion: panel.version,
    panelGuid: panel.guid,
    web: { problem: panel.webProblem ?? '' },
    ...(panel.active !== null && { standby: panel.active }),
    uptime: figures.uptimeSec,
    load: { load1, load5, load15 },
    loads: [load1, load5, load15],
    tcpCount: figures.tcpSockets,
    udpCount: figures.udpSockets,
    netIO: {
      up: figures.networkRate.sentBytes,
      down: figures.networkRate.receivedBytes,
      pktUp: figures.networkRate.sentPackets,
      pktDown: figures.networkRate.receivedPackets,
    },
    netTraffic: {
      sent: figures.networkTotal.sentBytes,
      recv: figures.networkTotal.receivedBytes,
      pktSent: figures.networkTotal.sentPackets,
      pktRecv: figures.networkTotal.receivedPackets,
    },
    publicIP: { ipv4: '', ipv6: '' },
    appStats: {
      pid: panel.pid,
      threads: figures.threads,
      mem: figures.residentBytes,
      uptime: coreUptimeSec(core, nowMs),
    },
  };
}

function coreUptimeSec(core: ShownCore, nowMs: number): number {
  return core.state === 'running' && core.startedAtMs !== null
    ? Math.max(0, Math.floor((nowMs - core.startedAtMs) / 1000))
    : 0;
}

function twoDecimals(value: number): number {
  return Math.round(value * 100) / 100;
}
