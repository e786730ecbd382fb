import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useOutsideChange } from '../../ui/use-outside-change.ts';
import { minuteOf, timeOf } from './minutes.ts';

interface TimeFieldProps extends Pick<TextInputProps, 'label' | 'aria-label' | 'w'> {
  /** Minutes after midnight; null = none. */
  value: number | null;
  /** Gets a whole time when the field is left, or Enter is pressed: one on the way there would count at once. */
  onChange: (minute: number) => void;
  /** For a field that may be empty. */
  onClear?: () => void;
}

/** A time of the day. */
export function TimeField({ value, onChange, onClear, ...rest }: TimeFieldProps) {
  const stored = value === null ? '' : timeOf(value);
  const [text, setText] = useState(stored);
  useOutsideChange(stored, setText);
  function handleEnd(): void {
    const minute = minuteOf(text);
    if (text === stored) return;
    if (minute !== null) onChange(minute);
    else if (text === '' && onClear !== undefined) onClear();
    else setText(stored);
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
