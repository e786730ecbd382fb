import { FocusTrap } from '@mantine/core';
import { DayPicker } from '@daypicker/persian';
import { DayButton, type DayButtonProps } from '@daypicker/react';
import { useMemo, type ButtonHTMLAttributes, type SelectHTMLAttributes } from 'react';
import { useTranslation } from 'react-i18next';
import { OWN_ESCAPE } from '../../ui/dialogs.ts';
import { dayOf, localDay } from './calendar-day.ts';
import classes from './jalali-calendar.module.css';

interface JalaliCalendarProps {
  /** As `2026-03-21`; empty = none. */
  value: string;
  onChoose: (day: string) => void;
}

/** The week begins on Saturday. */
const FIRST_WEEKDAY = 6;
const YEARS_BACK = 10;
const YEARS_AHEAD = 20;
const CLASS_NAMES = Object.fromEntries(
  [
    'root',
    'months',
    'month',
    'month_caption',
    'dropdowns',
    'dropdown',
    'dropdown_root',
    'caption_label',
    'nav',
    'button_previous',
    'button_next',
    'chevron',
    'month_grid',
    'weekday',
    'day',
    'day_button',
    'today',
    'selected',
    'outside',
  ].map((name) => [name, classes[name] ?? '']),
);

/** Escape closes only this calendar. */
const ALONE = { [OWN_ESCAPE]: true } as const;

/** A month of the Jalali calendar, navigated by arrow keys, in the chosen language. */
export function JalaliCalendar({ value, onChoose }: JalaliCalendarProps) {
  const { t, i18n } = useTranslation('dates');
  const { language } = i18n;
  const words = useMemo(() => {
    const made = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(`${language}-u-ca-persian`, options);
    const [month, weekday, whole] = [made({ month: 'long' }), made({ weekday: 'narrow' }), made({ dateStyle: 'full' })];
    const year = made({ year: 'numeric' });
    return {
      month: (date: Date) => month.format(date),
      year: (date: Date) => year.formatToParts(date).find(({ type }) => type === 'year')?.value ?? '',
      weekday: (date: Date) => weekday.format(date),
      whole: (date: Date) => whole.format(date),
    };
  }, [language]);
  const selected = localDay(value);
  const now = new Date();
  const year = (selected ?? now).getFullYear();
  return (
    <FocusTrap>
      <div>
        <DayPicker
          mode="single"
          required
          autoFocus
          captionLayout="dropdown"
          classNames={CLASS_NAMES}
          dir={language === 'fa' ? 'rtl' : 'ltr'}
          numerals={language === 'fa' ? 'arabext' : 'latn'}
          weekStartsOn={FIRST_WEEKDAY}
          selected={selected}
          defaultMonth={selected ?? now}
          startMonth={new Date(Math.min(now.getFullYear() - YEARS_BACK, year - 1), 0)}
          endMonth={new Date(Math.max(now.getFullYear() + YEARS_AHEAD, year + 1), 11)}
          onSelect={(date) => onChoose(dayOf(date))}
          formatters={{
            formatMonthDropdown: words.month,
            formatYearDropdown: words.year,
            formatWeekdayName: words.weekday,
            formatCaption: (date) => `${words.month(date)} ${words.year(date)}`,
          }}
          labels={{
            labelPrevious: () => t('previous'),
            labelNext: () => t('next'),
            labelMonthDropdown: () => t('month'),
            labelYearDropdown: () => t('year'),
            labelNav: () => t('calendar'),
            labelGrid: (date) => `${words.month(date)} ${words.year(date)}`,
            labelGridcell: words.whole,
            labelWeekday: words.weekday,
            labelDayButton: (date, { today, selected: isSelected }) =>
              [words.whole(date), today === true && t('today'), isSelected === true && t('chosen')]
                .filter((part) => part !== false)
                .join(', '),
          }}
          components={{
            DayButton: CalendarDay,
            PreviousMonthButton: MonthButton,
            NextMonthButton: MonthButton,
            Select: MonthSelect,
          }}
        />
      </div>
    </FocusTrap>
  );
}

function MonthButton(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button {...props} type="button" {...ALONE} />;
}

function MonthSelect(props: SelectHTMLAttributes<HTMLSelectElement>) {
  return <select {...props} {...ALONE} />;
}

function CalendarDay(props: DayButtonProps) {
  return <DayButton {...props} {...ALONE} {...(props.tabIndex === 0 && { 'data-autofocus': true })} />;
}
