import { Button, Group } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/format.ts';
import { serverNow } from '../../stores/server-clock.ts';
import { NumberField } from '../number-field.tsx';
import { DayField } from './day-field.tsx';
import { dayOf } from './calendar-day.ts';
import { dayAfter, daysOf, endOfTerm, type StoredTerm, type Term } from './term.ts';
import { Hint } from '../../ui/layout/hint.tsx';

interface TermFieldProps {
  /** While days are typed. */
  daysLabel: string;
  /** While a day is chosen. */
  dayLabel: string;
  value: Term;
  onChange: (term: Term) => void;
  onBlur?: () => void;
  error?: ReactNode;
  min?: number;
  /** What an untouched number of days stands for, to the second. */
  stored?: StoredTerm | undefined;
  /** The term does not begin now, so it has no date in the calendar. */
  isFromFirstUse?: boolean;
}

/** Where the calendar opens when no days were typed. */
const START_DAYS = 30;
/** The most days that still have a date. */
const MAX_DAYS = 3_000_000;

/** Days from now, or a date, each shown with the other; empty = unlimited. */
export function TermField(props: TermFieldProps) {
  const { daysLabel, dayLabel, value, onChange, onBlur, error, min, stored, isFromFirstUse = false } = props;
  const { t } = useTranslation('dates');
  const format = useFormat();
  const [isDayWanted, setDayWanted] = useState(false);
  const isDay = !isFromFirstUse && (typeof value === 'string' || (value === null && isDayWanted));
  const nowMs = serverNow();
  const handleSwitch = (): void => {
    setDayWanted(!isDay);
    if (isDay) onChange(typeof value === 'string' && value !== '' ? daysTo(value) : null);
    else if (value !== null && value === stored?.days) onChange(dayOf(new Date(stored.endMs)));
    else onChange(dayAfter(typeof value === 'number' && value > 0 ? Math.min(value, MAX_DAYS) : START_DAYS, nowMs));
  };
  return (
    <div>
      {isDay ? (
        <DayField
          label={dayLabel}
          value={typeof value === 'string' ? value : ''}
          onChange={(day) => onChange(day === '' ? null : day)}
          error={error}
          {...(onBlur !== undefined && { onBlur })}
        />
      ) : (
        <NumberField
          label={daysLabel}
          value={typeof value === 'number' ? value : null}
          empty={null}
          onChange={onChange}
          error={error}
          {...(min !== undefined && { min })}
          {...(onBlur !== undefined && { onBlur })}
        />
      )}
      {!isFromFirstUse && (
        <Group gap="xs" mt={4}>
          <Hint size="xs">{otherWords()}</Hint>
          <Button variant="subtle" size="compact-xs" onClick={handleSwitch}>
            {isDay ? t('asDays') : t('asDay')}
          </Button>
        </Group>
      )}
    </div>
  );

  function daysTo(day: string): number {
    return stored !== undefined && day === dayOf(new Date(stored.endMs)) ? stored.days : daysOf(day, nowMs);
  }
  function otherWords(): string {
    if (value === null || (typeof value === 'number' && Math.abs(value) > MAX_DAYS)) return '';
    const endMs = value === stored?.days ? stored.endMs : endOfTerm(value, nowMs);
    return Number.isNaN(endMs) ? '' : isDay ? format.relative(endMs, nowMs) : format.date(endMs);
  }
}
