import { useEffect } from 'react';
import { getEffectiveDefaults } from '#contract/settings';
import { keys } from '../api/keys.ts';
import { useRead } from '../api/use-read.ts';
import { useCalendarChoice } from '../stores/calendar.ts';

/** Keeps this browser's calendar in line with the panel's setting. */
export function CalendarSetting() {
  const { data } = useRead(getEffectiveDefaults, {}, [...keys.settings, 'effective']);
  const datepicker = data?.datepicker;
  useEffect(() => {
    if (datepicker !== undefined) useCalendarChoice.setState({ isJalali: datepicker === 'jalalian' });
  }, [datepicker]);
  return null;
}
