import type { Json, JsonObject } from '../../contract/json.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import { HostContent } from './contract.ts';
import { newGroupId } from './group-id.ts';
import { isHostAddress } from './host-entry-rules.ts';
import { insertHost } from './repository.ts';

/**
 * Turns each usable entry of a legacy `externalProxy` list into a host in its own group. Values that a host cannot hold
 * are dropped; entries that are not objects or have no address are skipped.
 */
export async function importExternalProxies(
  trx: WriteTransaction,
  inboundId: number,
  entries: readonly Json[],
  nowMs: number,
): Promise<void> {
  for (const [index, entry] of entries.entries()) {
    if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) continue;
    const address = textOf(entry, 'dest').replace(/^\[(.*)\]$/, '$1');
    if (address === '' || !isHostAddress(address)) continue;
    await insertHost(trx, {
      groupId: newGroupId(),
      inboundId,
      sortOrder: index,
      enable: 1,
      address,
      port: portOf(entry['port']),
      content: JSON.stringify(contentOf(entry, index)),
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    });
  }
}

/** 0, the inbound's own port, where none is usable: as links read such an entry before it becomes a host. */
function portOf(stored: Json | undefined): number {
  const port = Number(stored);
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : 0;
}

/** Field by field, so that one unusable value does not cost the others. */
function contentOf(entry: JsonObject, index: number): object {
  const forceTls = textOf(entry, 'forceTls');
  const alpn = entry['alpn'];
  const wanted: Record<string, unknown> = {
    security: forceTls === 'tls' || forceTls === 'none' ? forceTls : 'same',
    sni: textOf(entry, 'sni'),
    fingerprint: textOf(entry, 'fingerprint'),
    alpn: Array.isArray(alpn) ? alpn : textOf(entry, 'alpn').split(',').filter(Boolean),
    pinnedPeerCertSha256: entry['pinnedPeerCertSha256'] ?? [],
    echConfigList: textOf(entry, 'echConfigList'),
    verifyPeerCertByName: textOf(entry, 'verifyPeerCertByName'),
  };
  const remark = cleaned(textOf(entry, 'remark')) || `imported ${index + 1}`;
  const content = { remark: remark.slice(0, 256) };
  for (const [key, value] of Object.entries(wanted)) {
    if (HostContent.safeParse({ ...content, [key]: value }).success) Object.assign(content, { [key]: value });
  }
  return HostContent.parse(content);
}

function textOf(entry: JsonObject, key: string): string {
  const value = entry[key];
  return typeof value === 'string' ? value.trim() : '';
}

function cleaned(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ').trim();
}
