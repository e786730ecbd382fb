import type { JsonObject } from '../../contract/json.ts';
import { parseJsonObject } from '../../contract/json-text.ts';
import type { Row } from '../../store/schema.ts';
import { isFlowCapable, normaliseInbound, supportsClients } from '../../core/config/inbound/inbound-rules.ts';
import type { ClientTraffic, CountedInbound, Fallback, Inbound, InboundOption } from './contract.ts';

/** The stored columns that are shown. */
export type StoredInbound = Omit<Row<'inbounds'>, 'disabledBy' | 'createdAtMs' | 'updatedAtMs'>;

/** Fields of an inbound that are not in its row. */
export interface InboundCompany {
  /** GUID of this panel: where local inbounds run. */
  panelGuid: string;
  /** `settings.clients`, full or slim. */
  clients: readonly object[];
  stats: ClientTraffic[];
  fallbackParent: { masterId: number; path: string } | null;
}

export function presentInbound(row: StoredInbound, company: InboundCompany): Inbound {
  return {
    id: row.id,
    enable: row.enable === 1,
    remark: row.remark,
    listen: row.listen,
    port: row.port,
    protocol: row.protocol,
    expiryTime: row.expiresAtMs,
    total: row.quotaBytes,
    up: row.upBytes,
    down: row.downBytes,
    trafficReset: row.trafficReset,
    lastTrafficResetTime: row.lastTrafficResetAtMs,
    nodeId: row.nodeId,
    serverId: row.serverId,
    originNodeGuid: row.nodeId === null && row.originNodeGuid === '' ? company.panelGuid : row.originNodeGuid,
    tag: row.tag,
    settings: presentSettings(row, company.clients),
    streamSettings: presentSection(row.streamSettings),
    sniffing: presentSection(row.sniffing),
    clientStats: company.stats,
    fallbackParent: company.fallbackParent,
  };
}

/** An inbound presented without clients, with their counts instead. */
export function presentCounted(
  { clientStats: _none, ...inbound }: Inbound,
  clientCount: number,
  onlineCount: number,
): CountedInbound {
  const { settings } = inbound;
  if (settings === null || typeof settings === 'string') return { ...inbound, clientCount, onlineCount };
  const { clients: _left, ...rest } = settings;
  return { ...inbound, settings: rest, clientCount, onlineCount };
}

/** Text that is not valid JSON is shown unchanged: viewing it must lose nothing an operator stored. */
function presentSection(text: string): JsonObject | string | null {
  return text === '' ? null : (parseJsonObject(text) ?? text);
}

function presentSettings(row: StoredInbound, clients: readonly object[]): JsonObject | string | null {
  const stored = presentSection(row.settings);
  if (typeof stored === 'string') return stored;
  if (supportsClients(row.protocol)) return { ...stored, clients: clients as JsonObject[] };
  if (stored === null) return null;
  // Old rows may contain a form of the settings that the interface no longer shows, such as a port map as an object.
  const draft = { protocol: row.protocol, listen: row.listen, port: row.port, streamSettings: null, sniffing: null };
  return normaliseInbound({ ...draft, settings: stored }).settings;
}

export function presentOption(row: StoredInbound, nodeAddress: string): InboundOption {
  const settings = parseJsonObject(row.settings) ?? {};
  const method = settings['method'];
  return {
    id: row.id,
    remark: row.remark,
    tag: row.tag,
    protocol: row.protocol,
    port: row.port,
    tlsFlowCapable: isFlowCapable(row.protocol, settings, parseJsonObject(row.streamSettings)),
    ssMethod: row.protocol === 'shadowsocks' && typeof method === 'string' ? method : '',
    enable: row.enable === 1,
    listen: row.listen,
    nodeId: row.nodeId,
    nodeAddress,
  };
}

export function presentFallback(row: Fallback): Fallback {
  const { id, masterId, childId, name, alpn, path, dest, xver, sortOrder } = row;
  return { id, masterId, childId, name, alpn, path, dest, xver, sortOrder };
}
