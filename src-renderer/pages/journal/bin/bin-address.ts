import type { BinKind } from '#contract/journal';
import { useAddressParams } from '../../../ui/address/use-address-params.ts';
import { BIN_KINDS } from './bin-items.ts';

/** Filters of the recycle bin; kept in the URL. Empty = no choice. */
export interface BinAddress {
  kind: '' | BinKind;
  search: string;
  page: number;
}

/** The filters in the address and how to change them. Any change of the result returns to page 1. */
export function useBinAddress() {
  const [params, setParams] = useAddressParams();
  const address: BinAddress = {
    kind: BIN_KINDS.find((each) => each === params.get('kind')) ?? '',
    search: params.get('q') ?? '',
    page: Math.max(1, Number(params.get('page')) || 1),
  };
  const change = (name: 'kind' | 'q' | 'page', value: string): void =>
    setParams({ page: null, [name]: value }, { replace: name === 'q' });
  return { address, change };
}
