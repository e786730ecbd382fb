import { useEffect } from 'react';
import { useAddressParams } from './use-address-params.ts';

interface ShownPage {
  /** As it stands in the address, from 1. */
  page: number;
  size: number;
  /** Rows on all pages, by the answer for this page; undefined = not known yet. */
  total: number | undefined;
}

/** Goes to the last page when there are no rows any more on the one in the address: they were deleted, or have ended. */
export function useExistingPage({ page, size, total }: ShownPage): void {
  const [, setParams] = useAddressParams();
  const last = total === undefined ? page : Math.max(1, Math.ceil(total / size));
  useEffect(() => {
    if (page > last) setParams({ page: last === 1 ? null : last }, { replace: true });
  }, [page, last, setParams]);
}
