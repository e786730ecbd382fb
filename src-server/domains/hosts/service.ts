import { announce } from '../../contract/announce.ts';
import type { Basics } from '../basics.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Host, HostUpdate, NewHost } from './contract.ts';
import { createHostGroups } from './host-groups.ts';
import { importExternalProxies } from './import-external-proxies.ts';
import { importHosts } from './import-hosts.ts';
import { isHostAddress } from './host-entry-rules.ts';
import { newGroupId } from './group-id.ts';
import { presentHost } from './present.ts';
import * as rows from './repository.ts';

export type HostServiceDeps = Pick<Basics, 'store' | 'clock' | 'publish'>;

/** Hosts change subscriptions, not any core's config, so nothing here reaches the runtime. */
export function createHostService({ store, clock, publish }: HostServiceDeps) {
  async function change<T>(requestId: string, work: (trx: WriteTransaction) => Promise<T>): Promise<T> {
    const result = await store.write(work);
    announce(publish, ['hosts'], requestId);
    return result;
  }

  return {
    async list(): Promise<Host[]> {
      return (await rows.allHosts(store.reader)).map(presentHost);
    },
    /** @throws {DomainError} `host.unknown` */
    async get(id: number): Promise<Host> {
      return presentHost(known(await rows.hostById(store.reader, id)));
    },
    async ofInbound(inboundId: number): Promise<Host[]> {
      return (await rows.hostsOf(store.reader, inboundId)).map(presentHost);
    },
    /** Every tag of every host, including disabled ones, in byte order. */
    async tags(): Promise<string[]> {
      const hosts = await rows.allHosts(store.reader);
      return [...new Set(hosts.flatMap((row) => presentHost(row).tags))].sort(compare);
    },
    /** @throws {DomainError} `host.inboundUnknown`, `host.addressNotBare` */
    add({ inboundId, groupId, sortOrder, address, port, enable, ...content }: NewHost, requestId: string) {
      checkAddress(address);
      return change(requestId, async (trx): Promise<Host> => {
        if ((await rows.countInbounds(trx, [inboundId])) === 0) throw new DomainError('host.inboundUnknown');
        const row = {
          groupId: groupId ?? newGroupId(),
          inboundId,
          sortOrder,
          enable: enable ? (1 as const) : (0 as const),
          address: bare(address),
          port,
          content: JSON.stringify(content),
          createdAtMs: clock(),
          updatedAtMs: clock(),
        };
        return presentHost({ id: await rows.insertHost(trx, row), ...row });
      });
    },
    /** @throws {DomainError} `host.unknown`, `host.addressNotBare` */
    update(id: number, { address, port, enable, ...content }: HostUpdate, requestId: string) {
      checkAddress(address);
      return change(requestId, async (trx): Promise<Host> => {
        const row = {
          ...known(await rows.hostById(trx, id)),
          address: bare(address),
          port,
          enable: enable ? (1 as const) : (0 as const),
          content: JSON.stringify(content),
          updatedAtMs: clock(),
        };
        await rows.replaceHost(trx, row);
        return presentHost(row);
      });
    },
    /** @throws {DomainError} `host.unknown` */
    remove(id: number, requestId: string): Promise<null> {
      return change(requestId, async (trx) => {
        if ((await rows.deleteHosts(trx, [id])) === 0) throw new DomainError('host.unknown');
        return null;
      });
    },
    /** @throws {DomainError} `host.unknown` */
    setEnable(id: number, enable: boolean, requestId: string): Promise<null> {
      return change(requestId, async (trx) => {
        if ((await rows.switchHosts(trx, [id], enable ? 1 : 0, clock())) === 0) throw new DomainError('host.unknown');
        return null;
      });
    },
    /** Unknown ids are skipped. */
    async bulkSetEnable(ids: readonly number[], enable: boolean, requestId: string): Promise<null> {
      if (ids.length > 0) await change(requestId, (trx) => rows.switchHosts(trx, ids, enable ? 1 : 0, clock()));
      return null;
    },
    async bulkRemove(ids: readonly number[], requestId: string): Promise<null> {
      if (ids.length > 0) await change(requestId, (trx) => rows.deleteHosts(trx, ids));
      return null;
    },
    /** Order matters only within an inbound, so ids of several inbounds may be mixed. */
    async reorder(ids: readonly number[], requestId: string): Promise<null> {
      if (ids.length > 0) await change(requestId, (trx) => rows.orderHosts(trx, ids));
      return null;
    },
    groups: createHostGroups({ store, clock, change }),
    /** For inbounds that come with their own addresses. */
    inboundHosts: { importExternalProxies, importHosts },
  };
}
export type HostService = ReturnType<typeof createHostService>;

function known<T>(row: T | undefined): T {
  if (row === undefined) throw new DomainError('host.unknown');
  return row;
}

/** Byte order, independent of the machine's locale. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

const bare = (address: string): string => address.replace(/^\[(.*)\]$/, '$1');

function checkAddress(address: string): void {
  if (!isHostAddress(bare(address))) throw new DomainError('host.addressNotBare', { address });
}
