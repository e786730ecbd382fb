import { listClientsPaged, type ClientPage } from '#contract/clients/list';
import type { Caller } from '../../../api/transport-context.tsx';
import { toQuery, type ListAddress } from '../filters/list-address.ts';

const PAGE_SIZE = 200;

/** One page of many, and how far the reading has come. */
export interface ReadPage {
  items: ClientPage['items'];
  /** Clients that were read, with this page. */
  done: number;
  /** Clients that match now. */
  of: number;
}

/**
 * All pages of the clients that match an address, in its order. When some of them match no longer, those that moved up to the page
 * before are read, too.
 */
export async function* readPages(call: Caller, address: ListAddress, signal?: AbortSignal): AsyncGenerator<ReadPage> {
  const read = async (page: number): Promise<ClientPage> => {
    const query = { ...toQuery(address), page: String(page), pageSize: String(PAGE_SIZE) };
    const found = await call(listClientsPaged, { query }, signal);
    signal?.throwIfAborted();
    return found;
  };
  for (let page = 1, before = 0; ; page++) {
    const { items, filtered } = await read(page);
    const done = Math.min(page * PAGE_SIZE, filtered);
    if (filtered < before) yield { items: (await read(page - 1)).items, done, of: filtered };
    yield { items, done, of: filtered };
    if (done === filtered || items.length === 0) return;
    before = filtered;
  }
}

/** The same clients as they were created: in an order that traffic changes, one could come on two pages and another on none. */
export const asCreated = (address: ListAddress): ListAddress => ({ ...address, sort: '', order: '' });
