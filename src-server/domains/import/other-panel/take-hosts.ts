import type Database from 'better-sqlite3';
import { HostContent } from '../../hosts/contract.ts';
import { newGroupId } from '../../hosts/group-id.ts';
import { toValidationIssues } from '../../../contract/validation.ts';
import { leftOut } from '../left-out.ts';
import type { PlanBuilder } from '../plan-builder.ts';
import { parseJson, rowsOf, type OtherRow } from './other-rows.ts';

/** Hosts with everything they change in links; values that this panel would refuse are reported. */
export function takeHosts(
  source: Database.Database,
  scratch: Database.Database,
  inboundIds: ReadonlySet<number>,
  plan: PlanBuilder,
): void {
  const insert = scratch.prepare(`INSERT INTO hosts (id, groupId, inboundId, sortOrder, enable, address, port, content,
      createdAtMs, updatedAtMs) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  for (const row of rowsOf(source, 'hosts')) {
    const name = row.text('remark');
    if (!inboundIds.has(row.int('inbound_id'))) {
      plan.cannot('host', name, leftOut('leftOut.inboundStays'));
      continue;
    }
    const content = HostContent.safeParse(contentOf(row), { reportInput: true });
    if (!content.success) {
      const issues = toValidationIssues(content.error);
      plan.cannot('host', name, { reason: issues.map(({ message }) => message).join('; '), issues });
      continue;
    }
    insert.run(
      row.int('id'),
      row.text('group_id') || newGroupId(),
      row.int('inbound_id'),
      row.int('sort_order'),
      row.flag('is_disabled') ? 0 : 1,
      row.text('address'),
      row.int('port'),
      JSON.stringify(content.data),
      row.int('created_at'),
      row.int('updated_at'),
    );
    plan.comes('hosts', name);
  }
}

function contentOf(row: OtherRow): Record<string, unknown> {
  const list = (column: string): unknown => parseJson(row.text(column)) ?? [];
  const excluded = list('exclude_from_sub_types');
  return {
    remark: row.text('remark'),
    serverDescription: row.text('server_description'),
    isHidden: row.flag('is_hidden'),
    tags: list('tags'),
    security: row.text('security'),
    sni: row.text('sni'),
    overrideSniFromAddress: row.flag('override_sni_from_address'),
    keepSniBlank: row.flag('keep_sni_blank'),
    hostHeader: row.text('host_header'),
    path: row.text('path'),
    alpn: list('alpn'),
    fingerprint: row.text('fingerprint'),
    pinnedPeerCertSha256: list('pinned_peer_cert_sha256'),
    verifyPeerCertByName: row.text('verify_peer_cert_by_name'),
    allowInsecure: row.flag('allow_insecure'),
    echConfigList: row.text('ech_config_list'),
    muxParams: row.text('mux_params'),
    sockoptParams: row.text('sockopt_params'),
    finalMask: row.text('final_mask'),
    vlessRoute: row.text('vless_route'),
    excludeFromSubTypes: Array.isArray(excluded) ? excluded.map((name) => (name === 'clash' ? 'yaml' : name)) : [],
    yamlIpVersion: row.text('mihomo_ip_version'),
    yamlX25519: row.flag('mihomo_x25519'),
    shuffleHost: row.flag('shuffle_host'),
    nodeGuids: list('node_guids'),
  };
}
