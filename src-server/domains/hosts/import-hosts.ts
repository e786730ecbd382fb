import type { WriteTransaction } from '../../store/open-store.ts';
import { HostUpdate } from './contract.ts';
import { newGroupId } from './group-id.ts';
import { isHostAddress } from './host-entry-rules.ts';
import { insertHost } from './repository.ts';

/** No inbound has more than this. */
const MAX_HOSTS = 1_000;

/**
 * Imports hosts from another panel as hosts of an inbound here, in the same order and groups. Invalid ones are left
 * out.
 */
export async function importHosts(
  trx: WriteTransaction,
  inboundId: number,
  reported: readonly unknown[],
  nowMs: number,
): Promise<void> {
  const groups = new Map<unknown, string>();
  for (const [index, one] of reported.slice(0, MAX_HOSTS).entries()) {
    const read = HostUpdate.safeParse(one);
    if (!read.success || !isHostAddress(read.data.address)) continue;
    const { address, port, enable, ...content } = read.data;
    const { groupId: reportedGroup } = one as { groupId?: unknown };
    const groupId = groups.get(reportedGroup) ?? newGroupId();
    if (typeof reportedGroup === 'string' && reportedGroup !== '') groups.set(reportedGroup, groupId);
    await insertHost(trx, {
      groupId,
      inboundId,
      sortOrder: index,
      enable: enable ? 1 : 0,
      address,
      port,
      content: JSON.stringify(content),
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    });
  }
}
