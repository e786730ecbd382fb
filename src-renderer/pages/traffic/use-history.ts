import { keepPreviousData } from '@tanstack/react-query';
import { readHistory } from '#contract/traffic';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { useIsJalali } from '../../stores/calendar.ts';
import { timeQuery, type Time, type Whose } from './traffic-address.ts';

/** Polls the bars while they are shown. */
const POLL_EVERY_MS = 60_000;

export function useHistory(whose: Whose, time: Time) {
  const query = timeQuery(time, useIsJalali());
  return useRead(readHistory, { query: { ...whose, ...query! } }, [...keys.traffic, 'history', whose, query], {
    enabled: query !== null && (whose.subject === 'all' || whose.name !== ''),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_EVERY_MS,
  });
}
