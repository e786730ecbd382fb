import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';
import { useOutsideChange } from '../ui/use-outside-change.ts';

interface NumberFieldProps extends Omit<
  NumberInputProps,
  'value' | 'onChange' | 'onBlur' | 'onKeyDown' | 'min' | 'max' | 'allowDecimal'
> {
  /** Null = none. */
  value: number | null;
  min: number;
  max: number;
  /** Gets a whole number within the limits. */
  onChange: (value: number) => void;
  /** For a field that may be empty. */
  onClear?: () => void;
  /** What is typed counts when the field is left, or Enter is pressed: a number on the way there would do harm. */
  countsWhenLeft?: boolean;
}

/** A whole number that counts where it is used as it is typed. What is out of its limits stands until the field is left. */
export function NumberField({ value, onChange, onClear, countsWhenLeft = false, ...rest }: NumberFieldProps) {
  const [typed, setTyped] = useState<number | string>(value ?? '');
  const noteOwn = useOutsideChange(value, (outside) => setTyped(outside ?? ''));
  const isWithin = (next: number | string): next is number =>
    typeof next === 'number' && next >= rest.min && next <= rest.max;
  function take(next: number | string): void {
    if (next === (value ?? '')) return;
    if (next === '' && onClear !== undefined) {
      noteOwn(null);
      onClear();
    } else if (isWithin(next)) {
      noteOwn(next);
      onChange(next);
    }
  }
  function handleEnd(): void {
    if (countsWhenLeft) take(typed);
    if (!isWithin(typed) && !(typed === '' && onClear !== undefined)) setTyped(value ?? '');
  }
  return (
    <NumberInput
      {...rest}
      allowDecimal={false}
      clampBehavior="none"
      value={typed}
      onChange={(next) => {
        setTyped(next);
        if (!countsWhenLeft) take(next);
      }}
      onBlur={handleEnd}
      onKeyDown={({ key }) => key === 'Enter' && handleEnd()}
    />
  );
}
