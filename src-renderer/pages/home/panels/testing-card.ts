import type { PanelCard } from '../../../../src-main/bridge/panels.ts';

/** A healthy panel, for tests. */
export const testingCard = (id: string, more: Partial<PanelCard> = {}): PanelCard => ({
  id,
  state: 'ok',
  detail: '',
  sinceMs: 0,
  readAtMs: Date.now(),
  latencyMs: 3,
  machine: {
    cpuPct: 12,
    memPct: 40,
    diskPct: 50,
    upPerSec: 100,
    downPerSec: 200,
    uptimeSec: 9,
    panelVersion: '0.1.0',
    coreVersion: '26.7.28',
    coreState: 'running',
    coreError: '',
    coreRestarts: 0,
  },
  clients: { total: 10, online: 4, depleted: 1, expiring: 2, disabled: 0 },
  inbounds: { total: 3, on: 2 },
  nodes: { total: 1, offline: 0 },
  certificateEndsAtMs: null,
  backupAtMs: null,
  matters: [],
  line: [null, 100, 200],
  ...more,
});
