import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

interface CalendarChoice {
  /** The panel's setting: dates are those of the Jalali calendar in every language. */
  isJalali: boolean;
}

/** The calendar that the panel is set to, kept for the next first page. */
export const useCalendarChoice = create<CalendarChoice>()(
  persist((): CalendarChoice => ({ isJalali: false }), { name: 'panel.calendar', version: 1 }),
);

/** Whether dates are Jalali here: in Persian always, elsewhere where the panel is set to it. */
export function useIsJalali(): boolean {
  const { language } = useTranslation().i18n;
  const { isJalali } = useCalendarChoice();
  return language === 'fa' || isJalali;
}
