import { Group, Input, TextInput, type TextInputProps } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsJalali } from '../../stores/calendar.ts';
import { DayField } from './day-field.tsx';

interface MomentFieldProps extends Pick<
  TextInputProps,
  'description' | 'inputWrapperOrder' | 'error' | 'wrapperProps'
> {
  label: string;
  /** The label is only for screen readers. */
  isLabelHidden?: boolean;
  /** As `2030-01-31T14:30` or with seconds, by the browser's clock; empty = none. */
  value: string;
  onChange: (moment: string) => void;
  /** Accepts seconds too. */
  hasSeconds?: boolean;
}

const MIDNIGHT = '00:00';

/** A moment in the reader's calendar: the browser's own field, or a Jalali day with a time where dates are Jalali. */
export function MomentField(props: MomentFieldProps) {
  const isJalali = useIsJalali();
  if (isJalali) return <JalaliMomentField {...props} />;
  const { label, isLabelHidden = false, hasSeconds = false, onChange, ...rest } = props;
  return (
    <TextInput
      type="datetime-local"
      max="9999-12-31T23:59"
      {...(hasSeconds && { step: 1 })}
      {...(isLabelHidden ? { 'aria-label': label, title: label } : { label })}
      {...rest}
      onChange={({ currentTarget: { value } }) => onChange(value)}
    />
  );
}

/** The wrapper's properties that name its place in a draft. */
const places = (props: object = {}): object =>
  Object.fromEntries(Object.entries(props).filter(([name]) => name.startsWith('data-')));

function JalaliMomentField({
  label,
  isLabelHidden = false,
  hasSeconds = false,
  value,
  onChange,
  error,
  wrapperProps,
  ...wrapper
}: MomentFieldProps) {
  const { t } = useTranslation('dates');
  const id = useId();
  const errorId = useId();
  const isWrong = error !== undefined && error !== null && error !== false && error !== '';
  const [day = '', time = ''] = value.split('T');
  // The day may be cleared to type another: the time is kept for it.
  const [timeBefore, keepTime] = useState(MIDNIGHT);
  function handleDay(next: string): void {
    if (time !== '') keepTime(time);
    onChange(next === '' ? '' : `${next}T${time || timeBefore}`);
  }
  return (
    <Input.Wrapper
      {...wrapper}
      {...places(wrapperProps)}
      {...(!isLabelHidden && { label })}
      error={error}
      errorProps={{ id: errorId }}
      labelProps={{ id, htmlFor: undefined }}
    >
      <Group
        gap="xs"
        wrap="nowrap"
        role="group"
        {...(isLabelHidden ? { 'aria-label': label } : { 'aria-labelledby': id })}
        {...(isWrong && { 'aria-describedby': errorId })}
      >
        <DayField aria-label={t('day')} value={day} onChange={handleDay} error={isWrong} />
        <TextInput
          type="time"
          aria-label={t('time')}
          {...(hasSeconds && { step: 1 })}
          value={time}
          disabled={day === ''}
          onChange={({ currentTarget }) => onChange(`${day}T${currentTarget.value || MIDNIGHT}`)}
        />
      </Group>
    </Input.Wrapper>
  );
}
