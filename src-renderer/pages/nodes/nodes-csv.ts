import type { Node } from '#contract/nodes';
import { csvFlag, csvTable, csvTime } from '../../ui/csv/csv.ts';
import { urlOf } from './node-state.ts';

export const nodesCsv = csvTable<Node>({
  id: ({ id }) => id || '',
  guid: ({ guid }) => guid,
  name: ({ name }) => name,
  enabled: ({ enable }) => csvFlag(enable),
  address: urlOf,
  status: ({ status }) => status,
  last_probe: ({ lastHeartbeat }) => csvTime(lastHeartbeat * 1000),
  latency_ms: ({ latencyMs }) => latencyMs,
  core_version: ({ coreVersion }) => coreVersion,
  core_state: ({ coreState }) => coreState,
  panel_version: ({ panelVersion }) => panelVersion,
  cpu_percent: ({ cpuPct }) => cpuPct,
  memory_percent: ({ memPct }) => memPct,
  inbounds: ({ inboundCount }) => inboundCount,
  clients: ({ clientCount }) => clientCount,
  online: ({ onlineCount }) => onlineCount,
  undelivered: ({ configDirty }) => csvFlag(configDirty),
  error: ({ lastError }) => lastError,
});
