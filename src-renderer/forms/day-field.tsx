import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { persianDay, persianText } from './calendar-day.ts';

interface DayFieldProps {
  label: string;
  /** As `2026-03-21`; empty = none. */
  value: string;
  onChange: (day: string) => void;
}

/** A day of the reader's calendar: the browser's own field, and a typed Jalali date where Persian is read. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  const { i18n } = useTranslation();
  if (i18n.language === 'fa') return <PersianDayField label={label} value={value} onChange={onChange} />;
  return (
    <TextInput
      type="date"
      label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function PersianDayField({ label, value, onChange }: DayFieldProps) {
  const { t } = useTranslation('traffic');
  const [text, setText] = useState(persianText(value));
  useEffect(() => setText(persianText(value)), [value]);
  const isReadable = text === '' || persianDay(text) !== null;
  return (
    <TextInput
      label={label}
      value={text}
      placeholder="1405/01/01"
      dir="ltr"
      inputMode="numeric"
      error={isReadable ? null : t('range.noDay')}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        const day = currentTarget.value === '' ? '' : persianDay(currentTarget.value);
        if (day !== null) onChange(day);
      }}
    />
  );
}
