import { DomainError } from '../../contract/domain-error.ts';
import type { Store, WriteTransaction } from '../../store/open-store.ts';
import { HostContent, type GroupBody, type Host, type HostGroup } from './contract.ts';
import { newGroupId } from './group-id.ts';
import { parseHostEntry, type HostEntry } from './host-entry-rules.ts';
import { presentGroup, presentHost, type HostRow } from './present.ts';
import * as rows from './repository.ts';

interface HostGroupDeps {
  store: Store;
  clock: () => number;
  /** Runs one write and announces it. */
  change: <T>(requestId: string, work: (trx: WriteTransaction) => Promise<T>) => Promise<T>;
}

/** Most rows in a group. */
const MAX_ROWS = 10_000;

/** Hosts that were added together: every address at every inbound. */
export function createHostGroups({ store, clock, change }: HostGroupDeps) {
  /** Rows of the group after the write, in request order; existing ones keep id, order and creation time. */
  async function write(trx: WriteTransaction, groupId: string, body: GroupBody, existing: HostRow[]): Promise<Host[]> {
    const { inboundIds: requestedIds, hosts, port, sortOrder, enable, ...shared } = body;
    const content = HostContent.parse(shared);
    const inboundIds = [...new Set(requestedIds)];
    const entries = distinctEntries(hosts, port);
    if (entries.length * inboundIds.length > MAX_ROWS) throw new DomainError('host.tooMany', { max: MAX_ROWS });
    if ((await rows.countInbounds(trx, inboundIds)) < inboundIds.length) throw new DomainError('host.inboundUnknown');
    const left = new Map(existing.map((row) => [placeKey(row), row]));
    const nowMs = clock();
    const written: Host[] = [];
    for (const { address, port: entryPort } of entries)
      for (const inboundId of inboundIds) {
        const place = { inboundId, address, port: entryPort };
        const kept = left.get(placeKey(place));
        left.delete(placeKey(place));
        const row = {
          ...place,
          groupId,
          sortOrder: kept?.sortOrder ?? existing[0]?.sortOrder ?? sortOrder,
          enable: enable ? (1 as const) : (0 as const),
          content: JSON.stringify(content),
          createdAtMs: kept?.createdAtMs ?? nowMs,
          updatedAtMs: nowMs,
        };
        if (kept === undefined) written.push(presentHost({ id: await rows.insertHost(trx, row), ...row }));
        else {
          await rows.replaceHost(trx, { id: kept.id, ...row });
          written.push(presentHost({ id: kept.id, ...row }));
        }
      }
    await rows.deleteHosts(
      trx,
      [...left.values()].map(({ id }) => id),
    );
    return written;
  }

  async function idsOf(trx: WriteTransaction, groupId: string): Promise<number[]> {
    return (await known(rows.hostsInGroup(trx, groupId))).map(({ id }) => id);
  }

  return {
    /** By order, then name. */
    async list(): Promise<HostGroup[]> {
      const byGroup = new Map<string, HostRow[]>();
      for (const row of (await rows.allHosts(store.reader)).toSorted(
        (a, b) => a.sortOrder - b.sortOrder || a.id - b.id,
      )) {
        const group = byGroup.get(row.groupId);
        if (group === undefined) byGroup.set(row.groupId, [row]);
        else group.push(row);
      }
      return [...byGroup.values()]
        .map(presentGroup)
        .sort((a, b) => a.sortOrder - b.sortOrder || (a.remark < b.remark ? -1 : a.remark > b.remark ? 1 : 0));
    },
    /** @throws {DomainError} `host.unknown` */
    async get(groupId: string): Promise<HostGroup> {
      return presentGroup(await known(rows.hostsInGroup(store.reader, groupId)));
    },
    /** @throws {DomainError} `host.inboundUnknown`, `host.addressInvalid`, `host.tooMany`, `host.groupTaken` */
    add(body: GroupBody, requestId: string): Promise<Host[]> {
      return change(requestId, async (trx) => {
        const groupId = body.groupId ?? newGroupId();
        if ((await rows.hostsInGroup(trx, groupId)).length > 0) throw new DomainError('host.groupTaken', { groupId });
        return write(trx, groupId, body, []);
      });
    },
    /** @throws {DomainError} `host.unknown`, `host.inboundUnknown`, `host.addressInvalid`, `host.tooMany` */
    update(groupId: string, body: GroupBody, requestId: string): Promise<Host[]> {
      return change(requestId, async (trx) => write(trx, groupId, body, await known(rows.hostsInGroup(trx, groupId))));
    },
    /** @throws {DomainError} `host.unknown` */
    remove(groupId: string, requestId: string): Promise<null> {
      return change(requestId, async (trx) => {
        await rows.deleteHosts(trx, await idsOf(trx, groupId));
        return null;
      });
    },
    /** @throws {DomainError} `host.unknown` */
    setEnable(groupId: string, enable: boolean, requestId: string): Promise<null> {
      return change(requestId, async (trx) => {
        await rows.switchHosts(trx, await idsOf(trx, groupId), enable ? 1 : 0, clock());
        return null;
      });
    },
    /** Unknown groups are skipped. */
    async reorder(groupIds: readonly string[], requestId: string): Promise<null> {
      if (groupIds.length > 0) await change(requestId, (trx) => rows.orderGroups(trx, groupIds));
      return null;
    },
  };
}

async function known(found: Promise<HostRow[]>): Promise<HostRow[]> {
  const group = await found;
  if (group.length === 0) throw new DomainError('host.unknown');
  return group;
}

const placeKey = ({ inboundId, address, port }: HostEntry & { inboundId: number }) => `${inboundId} ${port} ${address}`;

function distinctEntries(hosts: readonly string[], defaultPort: number): HostEntry[] {
  const entries = new Map<string, HostEntry>();
  for (const text of hosts.length === 0 ? [''] : hosts) {
    const entry = parseHostEntry(text, defaultPort);
    if (entry === null) throw new DomainError('host.addressInvalid', { address: text });
    entries.set(`${entry.port} ${entry.address}`, entry);
  }
  return [...entries.values()];
}
