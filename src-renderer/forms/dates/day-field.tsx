import { ActionIcon, Loader, Popover, TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsJalali } from '../../stores/calendar.ts';
import { useOutsideChange } from '../../ui/use-outside-change.ts';
import { persianDay, persianText } from './calendar-day.ts';
import { later } from '../../ui/notices/later.tsx';

const JalaliCalendar = later(async () => (await import('./jalali-calendar.tsx')).JalaliCalendar);

export interface DayFieldProps extends Pick<
  TextInputProps,
  'label' | 'description' | 'error' | 'onBlur' | 'inputWrapperOrder' | 'wrapperProps' | 'aria-label' | 'size'
> {
  /** As `2026-03-21`; empty = none. */
  value: string;
  onChange: (day: string) => void;
  /** The field is inside a popover, which a calendar outside of it would close. */
  isInPopover?: boolean;
}

/** A day in the reader's calendar: the browser's own field, or a Jalali date, typed or picked, if dates are Jalali. */
export function DayField({ isInPopover = false, ...props }: DayFieldProps) {
  const isJalali = useIsJalali();
  if (isJalali) return <JalaliDayField isInPopover={isInPopover} {...props} />;
  return <BrowserDayField {...props} />;
}

function BrowserDayField({ value, onChange, ...rest }: DayFieldProps) {
  const [day, setDay] = useState(value);
  const noteOwn = useOutsideChange(value, setDay);
  return (
    <TextInput
      type="date"
      max="9999-12-31"
      {...rest}
      value={day}
      onChange={({ currentTarget }) => {
        setDay(currentTarget.value);
        noteOwn(currentTarget.value);
        onChange(currentTarget.value);
      }}
    />
  );
}

function JalaliDayField({ value, onChange, onBlur, isInPopover, error, ...rest }: DayFieldProps) {
  const { t } = useTranslation('dates');
  const [text, setText] = useState(persianText(value));
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const noteOwn = useOutsideChange(value, (day) => setText(persianText(day)));
  const isReadable = text === '' || persianDay(text) !== null;
  const problem = isReadable ? '' : t('noDay');
  const input = useRef<HTMLInputElement>(null);
  // Keeps the form from being sent with the day before it.
  useEffect(() => input.current?.setCustomValidity(problem), [problem]);
  const close = (): void => {
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      onDismiss={close}
      withRoles={false}
      withinPortal={isInPopover !== true}
      width="max-content"
      position="bottom-end"
      shadow="md"
    >
      <Popover.Target>
        <div>
          <TextInput
            {...rest}
            ref={input}
            value={text}
            data-day
            placeholder="1405/01/01"
            dir="ltr"
            inputMode="numeric"
            error={problem || error}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              const day = currentTarget.value === '' ? '' : persianDay(currentTarget.value);
              if (day === null) return;
              noteOwn(day);
              onChange(day);
            }}
            onBlur={(event) => {
              setText(persianText(persianDay(text) ?? '') || text);
              onBlur?.(event);
            }}
            rightSection={
              <ActionIcon
                ref={opener}
                variant="subtle"
                color="gray"
                aria-label={t('open')}
                aria-haspopup="dialog"
                aria-expanded={isOpen}
                onClick={() => setOpen((before) => !before)}
              >
                <IconCalendar size={18} aria-hidden />
              </ActionIcon>
            }
          />
        </div>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t('calendar')}>
        <Suspense fallback={<Loader size="sm" />}>
          {isOpen && (
            <JalaliCalendar
              value={value}
              onChoose={(day) => {
                onChange(day);
                close();
              }}
            />
          )}
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
