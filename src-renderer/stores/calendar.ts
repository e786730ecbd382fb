import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

interface CalendarChoice {
  /** The panel's setting: use the Jalali calendar in every language. */
  isJalali: boolean;
}

/** The panel's calendar setting, remembered for the next first page. */
export const useCalendarChoice = create<CalendarChoice>()(
  persist((): CalendarChoice => ({ isJalali: false }), { name: 'panel.calendar', version: 1 }),
);

/** Whether dates are Jalali here: in Persian always, else when the panel's setting says so. */
export function useIsJalali(): boolean {
  const { language } = useTranslation().i18n;
  const { isJalali } = useCalendarChoice();
  return language === 'fa' || isJalali;
}
