import { keepPreviousData } from '@tanstack/react-query';
import { countriesOf } from '#contract/countries';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';

const FRESH_MS = 5 * 60_000;
/** As many as one call takes. */
const MOST = 1_000;

/**
 * Countries of the addresses on show, ISO 3166 alpha-2 by address; what is not known is absent. The panel tells them by its own geo
 * files; one that has none, or is too old, leaves the places empty.
 */
export function useCountries(addresses: readonly string[]): Readonly<Record<string, string>> {
  const asked = [...new Set(addresses)].sort().slice(0, MOST);
  const { data } = useRead(countriesOf, { body: { addresses: asked } }, [...keys.countries, asked], {
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    retry: false,
  });
  return data ?? {};
}
