import { keepPreviousData } from '@tanstack/react-query';
import { listLiveSessions, SORTS, type LiveSession } from '#contract/liveSessions';
import { keys } from '../../api/keys.ts';
import type { useCall } from '../../api/transport-context.tsx';
import { useRead } from '../../api/use-read.ts';
import { useExistingPage } from '../../ui/address/use-existing-page.ts';
import type { SessionsAddress } from './sessions-address.ts';

export const PAGE_SIZE = 50;
/** Rows per response while all of them are read. */
const READ_SIZE = 200;
/** Counters change with the readings, every five seconds. */
const POLL_EVERY_MS = 5_000;

/** One page of sessions, read again and again unless it is held. */
export function useSessions(address: SessionsAddress, isHeld: boolean) {
  const list = useRead(
    listLiveSessions,
    { query: { ...queryOf(address), page: String(address.page), pageSize: String(PAGE_SIZE) } },
    [...keys.clients, 'live', address],
    {
      placeholderData: keepPreviousData,
      // Rows must not move under a selection.
      refetchInterval: isHeld ? false : POLL_EVERY_MS,
    },
  );
  useExistingPage({
    page: address.page,
    size: PAGE_SIZE,
    total: list.isPlaceholderData ? undefined : list.data?.filtered,
  });
  return list;
}

function queryOf({ q, guid, inbound, sort, order }: SessionsAddress) {
  return {
    q,
    guid,
    ...(inbound !== '' && { inbound }),
    sort: SORTS.find((name) => name === sort) ?? 'email',
    order: order === 'descend' ? ('descend' as const) : ('ascend' as const),
  };
}

/** Every session that matches, page after page. */
export async function readSessions(call: ReturnType<typeof useCall>, address: SessionsAddress): Promise<LiveSession[]> {
  const rows: LiveSession[] = [];
  for (let page = 1; ; page++) {
    const query = { ...queryOf(address), page: String(page), pageSize: String(READ_SIZE) };
    const { items, filtered } = await call(listLiveSessions, { query });
    rows.push(...items);
    if (items.length === 0 || page * READ_SIZE >= filtered) return rows;
  }
}
