import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readHistory } from '#contract/traffic';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { timeQuery, type Time, type Whose } from './traffic-address.ts';

/** Bars are counted on while they are looked at. */
const ASK_AGAIN_MS = 60_000;

export function useHistory(whose: Whose, time: Time) {
  const call = useCall();
  const { language } = useTranslation().i18n;
  const query = timeQuery(time, language);
  return useQuery({
    queryKey: [...keys.traffic, 'history', whose, query],
    queryFn: ({ signal }) => call(readHistory, { query: { ...whose, ...query! } }, signal),
    enabled: query !== null && (whose.subject === 'all' || whose.name !== ''),
    placeholderData: keepPreviousData,
    refetchInterval: ASK_AGAIN_MS,
  });
}
