import { parseJsonObject } from '../../contract/json-text.ts';
import type { KeptTraffic, StoredClient, StoredLink } from './storage/stored-types.ts';
import type { Attachment, ClientRecord, ClientRow, ClientTrafficRow } from './contract.ts';
import type { ExportedClient } from './bulk/contract.ts';
import type { SlimClientRow } from './list/contract.ts';

/** What a client's record and its export have in common. */
const presentBoth = (row: StoredClient, flow: string) => ({
  email: row.email,
  subId: row.subId,
  id: row.uuid,
  password: row.password,
  auth: row.auth,
  flow,
  security: row.security,
  reverse: presentReverse(row.reverse),
  totalGB: row.quotaBytes,
  expiryTime: row.expiresAtMs,
  limitIp: row.limitIp,
  tgId: row.tgId,
  comment: row.comment,
  enable: row.enable === 1,
  group: row.groupName,
  reset: row.resetDays,
  resetDay: row.resetDay,
});

/** @param flow the effective one; see the Client table of the interface document. */
export function presentClient(row: StoredClient, flow: string): ClientRecord {
  return {
    recordId: row.id,
    uuid: row.uuid,
    planId: row.planId,
    ...presentBoth(row, flow),
    createdAt: row.createdAtMs,
    updatedAt: row.updatedAtMs,
  };
}

export function presentReverse(reverse: string): { tag: string } | null {
  const tag = parseJsonObject(reverse)?.['tag'];
  return typeof tag === 'string' && tag !== '' ? { tag } : null;
}

/** Counters combined with the totals of panels above this one, per direction. */
export function overlaid(row: StoredClient): { up: number; down: number } {
  return { up: Math.max(row.upBytes, row.peerUpBytes), down: Math.max(row.downBytes, row.peerDownBytes) };
}

const usageOf = (row: StoredClient) => ({ ...overlaid(row), enable: row.enable === 1 });

export function presentRow(row: StoredClient, flow: string, inboundIds: number[]): ClientRow {
  return { ...presentClient(row, flow), inboundIds, traffic: usageOf(row) };
}

export function presentSlimRow(row: StoredClient, inboundIds: number[]): SlimClientRow {
  return {
    email: row.email,
    subId: row.subId,
    enable: row.enable === 1,
    totalGB: row.quotaBytes,
    expiryTime: row.expiresAtMs,
    limitIp: row.limitIp,
    reset: row.resetDays,
    resetDay: row.resetDay,
    group: row.groupName,
    planId: row.planId,
    comment: row.comment,
    inboundIds,
    traffic: usageOf(row),
    lastOnline: row.lastOnlineAtMs,
    createdAt: row.createdAtMs,
    updatedAt: row.updatedAtMs,
  };
}

/**
 * @param inboundId see {@link ClientTrafficRow}; 0 = none.
 * @param overlay whether totals of panels above this one are included; not where those panels read the counters back.
 */
export function presentTraffic(row: StoredClient, inboundId: number, overlay: boolean): ClientTrafficRow {
  return {
    id: row.id,
    inboundId,
    enable: row.enable === 1,
    email: row.email,
    uuid: row.uuid,
    subId: row.subId,
    ...(overlay ? overlaid(row) : { up: row.upBytes, down: row.downBytes }),
    expiryTime: row.expiresAtMs,
    total: row.quotaBytes,
    reset: row.resetDays,
    resetDay: row.resetDay,
    lastOnline: row.lastOnlineAtMs,
  };
}

/** Counters that outlived their client; nothing else of it exists. */
export function presentKept(kept: KeptTraffic): ClientTrafficRow {
  return {
    id: 0,
    inboundId: 0,
    enable: false,
    email: kept.email,
    uuid: '',
    subId: '',
    up: kept.upBytes,
    down: kept.downBytes,
    expiryTime: 0,
    total: 0,
    reset: 0,
    resetDay: 0,
    lastOnline: kept.lastOnlineAtMs,
  };
}

/** Attachments that differ from what the client's own flow and password would give. */
export const presentAttachments = (flow: string, links: readonly StoredLink[]): Attachment[] =>
  links
    .filter(({ flowOverride, passwordOverride }) => flowOverride !== flow || passwordOverride !== '')
    .map(({ inboundId, flowOverride, passwordOverride }) => ({
      inboundId,
      flow: flowOverride,
      password: passwordOverride,
    }));

/** @param flow the effective one. */
export function presentExport(row: StoredClient, flow: string, links: readonly StoredLink[]): ExportedClient {
  const attachments = presentAttachments(flow, links);
  return {
    client: presentExported(row, flow),
    inboundIds: links.map(({ inboundId }) => inboundId),
    ...(attachments.length > 0 ? { attachments } : {}),
  };
}

function presentExported(row: StoredClient, flow: string): ExportedClient['client'] {
  return {
    ...presentBoth(row, flow),
    ...(row.disabledBy === 'loop' ? { disabledBy: row.disabledBy } : {}),
    created_at: row.createdAtMs,
    updated_at: row.updatedAtMs,
  };
}
