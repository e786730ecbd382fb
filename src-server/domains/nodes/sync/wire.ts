import type { JsonObject } from '../../../contract/json.ts';
import { parseJsonObject } from '../../../contract/json-text.ts';
import { withFallbacks } from '../../../core/config/inbound/fallbacks.ts';
import type { FallbackSource } from '../../../core/config/source.ts';
import type { InboundRow, WantedClient } from './push/repository-push.ts';

/** An inbound's tag on its node: without the node's prefix, because there it is local. */
export function remoteTagOf(tag: string, nodeId: number): string {
  const prefix = `n${nodeId}-`;
  return tag.startsWith(prefix) ? tag.slice(prefix.length) : tag;
}

/** Fields of an inbound that can be changed on a node's own panel. Clients and the tag are handled separately. */
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
 * @param entries all its clients, disabled ones too: a client left out loses the inbound there
 * @param fallbacks its rules, sent as if written by hand: ids of other inbounds mean nothing there
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

/** A certificate with inline content needs no file; a path alone was entered for the node and stays. */
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

/** A client as a node takes it, with the flow and password of its attachments there. */
export function wireClient(client: WantedClient): JsonObject {
  const flow = client.links.find(({ flowOverride }) => flowOverride !== '')?.flowOverride ?? '';
  // An attachment's own key is used only if nothing on the node uses the record's password.
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
    // A client has one kind of renewal; a node refuses both.
    ...(client.resetDay > 0 ? { resetDay: client.resetDay } : { reset: client.resetDays }),
    createdAt: client.createdAtMs,
  };
}
