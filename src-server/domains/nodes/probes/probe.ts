import * as z from 'zod';
import { DomainError } from '../../../contract/domain-error.ts';
import type { NodeClient } from '../node-client.ts';
import { refusalOf } from '../sync/refusal.ts';
import type { Probe } from '../stored-types.ts';

const PROBE_MS = 4_000;

const Figure = z.number().catch(0);
const Text = z.string().catch('');

/** Fields read of a node's status; missing or mistyped ones count as empty. */
const Status = z.object({
  cpu: Figure,
  mem: z.object({ current: Figure, total: Figure }).catch({ current: 0, total: 0 }),
  core: z.object({ version: Text, state: Text, errorMsg: Text }).catch({ version: '', state: '', errorMsg: '' }),
  panelVersion: Text,
  panelGuid: Text,
  uptime: Figure,
  netIO: z.object({ up: Figure, down: Figure }).catch({ up: 0, down: 0 }),
});

const GAUGES = { latencyMs: 0, cpuPct: 0, memPct: 0, uptimeSec: 0, netUpBytesPerSec: 0, netDownBytesPerSec: 0 };

/** Requests a node's status. Never fails: a node that does not answer is offline, with the reason. */
export async function probeNode(
  client: Pick<NodeClient, 'call'>,
  { monotonic, textOf }: { monotonic: () => number; textOf: (error: DomainError) => string },
): Promise<Probe> {
  const startedMs = monotonic();
  try {
    const status = await client.call({ method: 'GET', path: 'server/status', result: Status, timeoutMs: PROBE_MS });
    const { cpu, mem, core, netIO, panelGuid } = status;
    return {
      status: 'online',
      lastError: '',
      lastRefusal: '',
      latencyMs: Math.round(monotonic() - startedMs),
      cpuPct: cpu,
      memPct: mem.total > 0 ? (100 * mem.current) / mem.total : 0,
      uptimeSec: Math.round(status.uptime),
      netUpBytesPerSec: Math.round(netIO.up),
      netDownBytesPerSec: Math.round(netIO.down),
      ...(panelGuid === '' ? {} : { guid: panelGuid }),
      coreVersion: core.version,
      coreState: core.state,
      coreError: core.errorMsg,
      panelVersion: status.panelVersion,
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return notUsable(error, textOf);
  }
}

/** Status of a panel that is unreachable or cannot be a node. */
export function notUsable(error: DomainError, textOf: (error: DomainError) => string): Probe {
  return { status: 'offline', lastError: textOf(error), lastRefusal: JSON.stringify(refusalOf(error)), ...GAUGES };
}
