import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useOutsideChange } from '../../ui/use-outside-change.ts';
import { minuteOf, timeOf } from './minutes.ts';

interface TimeFieldProps<Empty extends null = never> extends Pick<TextInputProps, 'label' | 'aria-label' | 'w'> {
  /** Minutes after midnight; null = none. */
  value: number | null;
  /** Called with a complete time on blur or Enter: a half-typed one would take effect at once. */
  onChange: (minute: number | Empty) => void;
  /** Given for a field that may be empty. */
  empty?: Empty;
}

/** A time of the day. */
export function TimeField<Empty extends null = never>({ value, onChange, empty, ...rest }: TimeFieldProps<Empty>) {
  const stored = value === null ? '' : timeOf(value);
  const [text, setText] = useState(stored);
  useOutsideChange(stored, setText);
  function handleEnd(): void {
    const minute = text === '' ? empty : (minuteOf(text) ?? undefined);
    if (text === stored) return;
    if (minute === undefined) setText(stored);
    else onChange(minute);
  }
  return (
    <TextInput
      {...rest}
      type="time"
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={handleEnd}
      onKeyDown={({ key }) => key === 'Enter' && handleEnd()}
    />
  );
}
