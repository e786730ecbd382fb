import { keepPreviousData } from '@tanstack/react-query';
import { countriesOf } from '#contract/countries';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';

const FRESH_MS = 5 * 60_000;
/** Most addresses per call. */
const MAX_ADDRESSES = 1_000;

/**
 * Countries of the shown addresses, ISO 3166 alpha-2 by address; unknown ones are absent. The panel looks them up in
 * its geo files; a panel without them, or too old, leaves the places empty.
 */
export function useCountries(addresses: readonly string[]): Readonly<Record<string, string>> {
  const requested = [...new Set(addresses)].sort().slice(0, MAX_ADDRESSES);
  const { data } = useRead(countriesOf, { body: { addresses: requested } }, [...keys.countries, requested], {
    enabled: requested.length > 0,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    retry: false,
  });
  return data ?? {};
}
