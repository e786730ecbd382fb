import { readJson } from '../../contract/json-text.ts';
import type { Descendant } from './chains/contract.ts';
import { Node, type NodeRefusal } from './contract.ts';
import type { NodeProbe } from './probes/contract.ts';
import type { NodeRow, Probe } from './stored-types.ts';

/** State of a node that is not stored. */
export type NodeCounts = Pick<
  Node,
  | 'dialledBy'
  | 'copyAt'
  | 'inboundCount'
  | 'undecidedEdits'
  | 'clientCount'
  | 'onlineCount'
  | 'activeCount'
  | 'disabledCount'
  | 'depletedCount'
>;

export const NO_COUNTS: NodeCounts = {
  dialledBy: '',
  copyAt: '',
  inboundCount: 0,
  undecidedEdits: 0,
  clientCount: 0,
  onlineCount: 0,
  activeCount: 0,
  disabledCount: 0,
  depletedCount: 0,
};

const refusalFrom = (json: string): NodeRefusal | null => readJson(Node.shape.lastRefusal, json, null);
/** Tags that are selected on the node. */
export const tagsOf = ({ inboundTags }: NodeRow): string[] => readJson(Node.shape.inboundTags, inboundTags, []);
const seconds = (ms: number): number => Math.floor(ms / 1000);

/** A row for responses, without its token. */
export function presentNode(row: NodeRow, counts: NodeCounts, plans: Node['plans']): Node {
  return {
    ...presentReached(row),
    id: row.id,
    remark: row.remark,
    basePath: row.basePath,
    hasApiToken: row.apiToken !== '',
    enable: row.enable === 1,
    allowPrivateAddress: row.allowPrivateAddress === 1,
    tlsVerifyMode: row.tlsVerifyMode,
    pinnedCertSha256: row.pinnedCertSha256,
    inboundSyncMode: row.inboundSyncMode,
    inboundTags: tagsOf(row),
    outboundTag: row.outboundTag,
    remoteEdits: row.remoteEdits,
    cpuPct: row.cpuPct,
    memPct: row.memPct,
    uptimeSecs: row.uptimeSec,
    netUp: row.netUpBytesPerSec,
    netDown: row.netDownBytesPerSec,
    lastError: row.lastError,
    lastRefusal: refusalFrom(row.lastRefusal),
    configDirty: row.configDirty === 1,
    configDirtyAt: row.configDirtyAtMs,
    syncError: row.syncError,
    syncRefusals: readJson(Node.shape.syncRefusals, row.syncRefusals, []),
    plans,
    ...counts,
    createdAt: row.createdAtMs,
    updatedAt: row.updatedAtMs,
  };
}

/** A panel behind a node. It cannot be managed from here, so its settings are empty. */
export function presentTransitive(panel: Descendant, counts: NodeCounts): Node {
  return {
    ...panel,
    id: 0,
    remark: '',
    basePath: '/',
    hasApiToken: false,
    enable: true,
    allowPrivateAddress: false,
    tlsVerifyMode: 'verify',
    pinnedCertSha256: '',
    inboundSyncMode: 'all',
    inboundTags: [],
    outboundTag: '',
    remoteEdits: 'follow',
    cpuPct: 0,
    memPct: 0,
    uptimeSecs: 0,
    netUp: 0,
    netDown: 0,
    lastError: '',
    lastRefusal: null,
    configDirty: false,
    configDirtyAt: 0,
    syncError: '',
    syncRefusals: [],
    plans: [],
    ...counts,
    clientCount: 0,
    transitive: true,
    createdAt: 0,
    updatedAt: 0,
  };
}

/** A node as the panel above sees it; that panel does its own counting. */
export function presentDescendant(row: NodeRow, ownGuid: string): Descendant {
  // While it is disabled nothing polls it, and its last state means nothing.
  const status = row.enable === 1 ? row.status : 'unknown';
  return { ...presentReached(row), status, parentGuid: ownGuid };
}

/** Location and state of a node. */
function presentReached(row: NodeRow): Omit<Descendant, 'parentGuid'> {
  return {
    guid: row.guid,
    name: row.name,
    address: row.address,
    scheme: row.scheme,
    port: row.port,
    status: row.status,
    lastHeartbeat: seconds(row.lastHeartbeatAtMs),
    latencyMs: row.latencyMs,
    panelVersion: row.panelVersion,
    coreVersion: row.coreVersion,
    coreState: row.coreState,
    coreError: row.coreError,
  };
}

export function presentProbe(probe: Probe): NodeProbe {
  return {
    status: probe.status,
    latencyMs: probe.latencyMs,
    coreVersion: probe.coreVersion ?? '',
    panelVersion: probe.panelVersion ?? '',
    cpuPct: probe.cpuPct,
    memPct: probe.memPct,
    uptimeSecs: probe.uptimeSec,
    error: probe.lastError,
    refusal: refusalFrom(probe.lastRefusal),
    coreState: probe.coreState ?? '',
    coreError: probe.coreError ?? '',
  };
}
