import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';
import { useOutsideChange } from '../ui/use-outside-change.ts';

export interface NumberFieldProps<Empty extends number | null = never> extends Omit<
  NumberInputProps,
  'value' | 'onChange' | 'allowDecimal'
> {
  /** Null shows an empty field. */
  value: number | null;
  onChange: (value: number | Empty) => void;
  /** The value of an empty field; absent = none, and the number returns on blur. */
  empty?: Empty;
  /** Reports a value only on blur or Enter: a half-typed number would do harm. */
  countsWhenLeft?: boolean;
}

/** A whole number. The field stays empty while another number is typed, whatever an empty field means. */
export function NumberField<Empty extends number | null = never>({
  value,
  onChange,
  empty,
  countsWhenLeft = false,
  onBlur,
  onKeyDown,
  ...rest
}: NumberFieldProps<Empty>) {
  const { min = -Infinity, max = Infinity } = rest;
  const [typed, setTyped] = useState<number | string>(value ?? '');
  const noteOwn = useOutsideChange<number | null>(value, (outside) => setTyped(outside ?? ''));
  function give(next: number | string): void {
    // Too large a number arrives as text, and so does a lone sign.
    const meant = next === '' ? empty : Number(next);
    if (meant === undefined || Number.isNaN(meant) || meant === value) return;
    noteOwn(meant);
    onChange(meant);
  }
  function handleEnd(): void {
    if (typed === '' && (empty === undefined || empty === value)) setTyped(value ?? '');
    if (countsWhenLeft) give(typed === '' ? typed : Math.min(max, Math.max(min, Number(typed))));
  }
  return (
    <NumberInput
      allowNegative={min < 0}
      {...rest}
      allowDecimal={false}
      value={typed}
      onChange={(next) => {
        setTyped(next);
        if (!countsWhenLeft) give(next);
      }}
      onBlur={(event) => {
        handleEnd();
        onBlur?.(event);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') handleEnd();
        onKeyDown?.(event);
      }}
    />
  );
}
