import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getEffectiveDefaults } from '#contract/settings';
import { keys } from '../api/keys.ts';
import { useCall } from '../api/transport-context.tsx';
import { useCalendarChoice } from '../stores/calendar.ts';

/** Keeps the calendar of this browser that of the panel's setting. */
export function CalendarSetting() {
  const call = useCall();
  const { data } = useQuery({
    queryKey: [...keys.settings, 'effective'],
    queryFn: ({ signal }) => call(getEffectiveDefaults, {}, signal),
  });
  const datepicker = data?.datepicker;
  useEffect(() => {
    if (datepicker !== undefined) useCalendarChoice.setState({ isJalali: datepicker === 'jalalian' });
  }, [datepicker]);
  return null;
}
