import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listClientsPaged } from '#contract/clients/list';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { useExistingPage } from '../../ui/address/use-existing-page.ts';
import { toQuery, type ListAddress } from './filters/list-address.ts';

/** One page of clients; the next one is read ahead. `filtered` is undefined while the page before is still shown. */
export function useClients(address: ListAddress) {
  const call = useCall();
  const cache = useQueryClient();
  const pageOf = (page: number) => ({
    queryKey: [...keys.clients, 'page', { ...address, page }],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call(
        listClientsPaged,
        { query: { ...toQuery(address), page: String(page), pageSize: String(address.size) } },
        signal,
      ),
  });
  const list = useQuery({ ...pageOf(address.page), placeholderData: keepPreviousData });
  const hasNext = list.data !== undefined && address.page * address.size < list.data.filtered;
  useEffect(() => {
    if (hasNext && !list.isPlaceholderData) void cache.prefetchQuery(pageOf(address.page + 1));
    // The address is all that the next page depends on.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [hasNext, list.isPlaceholderData, address]);
  const filtered = list.isPlaceholderData ? undefined : list.data?.filtered;
  useExistingPage({ page: address.page, size: address.size, total: filtered });
  return { list, filtered };
}
