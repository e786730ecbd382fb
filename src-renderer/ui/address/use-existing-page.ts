import { useEffect } from 'react';
import { useAddressParams } from './use-address-params.ts';

interface ShownPage {
  /** Page number in the address, from 1. */
  page: number;
  size: number;
  /** Rows on all pages, from the response for this page; undefined = unknown. */
  total: number | undefined;
}

/** Goes to the last page when the current one has no rows any more: they were deleted, or have ended. */
export function useExistingPage({ page, size, total }: ShownPage): void {
  const [, setParams] = useAddressParams();
  const last = total === undefined ? page : Math.max(1, Math.ceil(total / size));
  useEffect(() => {
    if (page > last) setParams({ page: last === 1 ? null : last }, { replace: true });
  }, [page, last, setParams]);
}
