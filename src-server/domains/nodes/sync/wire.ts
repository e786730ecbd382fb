import type { JsonObject } from '../../../contract/json.ts';
import { parseJsonObject } from '../../../contract/json-text.ts';
import { withFallbacks } from '../../../core/config/inbound/fallbacks.ts';
import type { FallbackSource } from '../../../core/config/source.ts';
import type { InboundRow, WantedClient } from './push/repository-push.ts';

/** The tag an inbound has on its node: there it is an inbound like any other, without the node's prefix. */
export function remoteTagOf(tag: string, nodeId: number): string {
  const prefix = `n${nodeId}-`;
  return tag.startsWith(prefix) ? tag.slice(prefix.length) : tag;
}

/** What of an inbound can be changed on a node's own panel. Clients and the tag are looked at by themselves. */
export const MEMBERS = [
  'enable',
  'remark',
  'listen',
  'port',
  'protocol',
  'expiryTime',
  'total',
  'trafficReset',
  'settings',
  'streamSettings',
  'sniffing',
] as const;

/**
 * An inbound as a node takes it. Without `entries` the node keeps the clients it has.
 * @param entries all clients on it, disabled ones too: a client that is missing loses the inbound there
 * @param fallbacks its rules, which go along as written by hand: the ids of other inbounds mean nothing there
 */
export function wireInbound(
  row: InboundRow,
  nodeId: number,
  { entries, fallbacks }: { entries: readonly JsonObject[] | null; fallbacks: readonly FallbackSource[] },
): JsonObject {
  const stream = parseJsonObject(row.streamSettings);
  const view = { tag: row.tag, listen: row.listen, settings: parseJsonObject(row.settings) ?? {}, stream };
  const { settings } = withFallbacks(view, row.protocol, fallbacks);
  return {
    enable: row.enable === 1,
    remark: row.remark,
    listen: row.listen,
    port: row.port,
    protocol: row.protocol,
    expiryTime: row.expiresAtMs,
    total: row.quotaBytes,
    trafficReset: row.trafficReset,
    tag: remoteTagOf(row.tag, nodeId),
    settings: entries === null ? settings : { ...settings, clients: [...entries] },
    streamSettings: withoutDoubledFiles(stream),
    sniffing: parseJsonObject(row.sniffing),
  };
}

/** A certificate that is given in full needs no file; a path alone was entered for the node and stays. */
function withoutDoubledFiles(stream: JsonObject | null): JsonObject | null {
  const tls = stream?.['tlsSettings'];
  if (stream === null || typeof tls !== 'object' || tls === null || Array.isArray(tls)) return stream;
  const { certificates } = tls;
  if (!Array.isArray(certificates)) return stream;
  const trimmed = certificates.map((entry) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry;
    const { certificateFile, keyFile, ...rest } = entry;
    return {
      ...rest,
      ...(certificateFile === undefined || isGiven(rest['certificate']) ? {} : { certificateFile }),
      ...(keyFile === undefined || isGiven(rest['key']) ? {} : { keyFile }),
    };
  });
  return { ...stream, tlsSettings: { ...tls, certificates: trimmed } };
}

const isGiven = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** A client as a node takes it, with what its attachments there make of flow and password. */
export function wireClient(client: WantedClient): JsonObject {
  const flow = client.links.find(({ flowOverride }) => flowOverride !== '')?.flowOverride ?? '';
  // A key of its own only where nothing on the node uses the record's password.
  const usesRecord = client.links.some(
    ({ protocol, passwordOverride }) => protocol === 'trojan' && passwordOverride === '',
  );
  const fitted = usesRecord ? undefined : client.links.find((link) => link.passwordOverride !== '')?.passwordOverride;
  const reverse = parseJsonObject(client.reverse);
  return {
    email: client.email,
    subId: client.subId,
    id: client.uuid,
    password: fitted ?? client.password,
    auth: client.auth,
    flow,
    security: client.security,
    ...(reverse === null ? {} : { reverse }),
    totalGB: client.quotaBytes,
    expiryTime: client.expiresAtMs,
    limitIp: client.limitIp,
    tgId: client.tgId,
    comment: client.comment,
    enable: client.enable === 1,
    ...(client.enable === 1 ? {} : { disabledBy: client.disabledBy || 'loop' }),
    group: client.groupName,
    // A client renews in one way, and a node that is told both refuses.
    ...(client.resetDay > 0 ? { resetDay: client.resetDay } : { reset: client.resetDays }),
    createdAt: client.createdAtMs,
  };
}
