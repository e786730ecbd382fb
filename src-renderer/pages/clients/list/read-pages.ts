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

/** All pages of the clients that match an address, in its order. */
export async function* readPages(call: Caller, address: ListAddress, signal?: AbortSignal): AsyncGenerator<ReadPage> {
  for (let page = 1; ; page++) {
    const query = { ...toQuery(address), page: String(page), pageSize: String(PAGE_SIZE) };
    const { items, filtered } = await call(listClientsPaged, { query }, signal);
    signal?.throwIfAborted();
    const done = Math.min(page * PAGE_SIZE, filtered);
    yield { items, done, of: filtered };
    if (done === filtered || items.length === 0) return;
  }
}

/** The same clients as they were created: in an order that traffic changes, one could come on two pages and another on none. */
export const asCreated = (address: ListAddress): ListAddress => ({ ...address, sort: '', order: '' });
