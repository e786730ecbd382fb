import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { useEffect, useRef, useState, type ChangeEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useOutsideChange } from '../ui/use-outside-change.ts';
import { plainDigits } from './plain-digits.ts';

export interface NumberFieldProps<Empty extends number | null = never> extends Omit<
  NumberInputProps,
  'value' | 'onChange' | 'allowDecimal' | 'min' | 'max'
> {
  /** Null shows an empty field; a text is a stored value that is no number. */
  value: number | string | null;
  onChange: (value: number | Empty) => void;
  /** The value of an empty field; absent = none, and the number returns on blur. */
  empty?: Empty;
  min?: number;
  max?: number;
  /** False for any number, of which none is refused. */
  isWhole?: boolean;
  /** Reports a value only on blur or Enter, and only one that fits: a half-typed number would do harm. */
  countsWhenLeft?: boolean;
}

/**
 * A number, whole unless it is said otherwise, in the digits of any keyboard. What was typed stays as it is: a number
 * that does not fit is reported too, with a message that keeps the form from being sent.
 * The field stays empty while another number is typed, whatever an empty field means.
 */
export function NumberField<Empty extends number | null = never>({
  value,
  onChange,
  empty,
  isWhole = true,
  countsWhenLeft = false,
  error,
  ref,
  onBlur,
  onKeyDown,
  ...rest
}: NumberFieldProps<Empty>) {
  const { min, max } = rest;
  const [typed, setTyped] = useState<number | string>(value ?? '');
  const noteOwn = useOutsideChange<number | string | null>(value, (outside) => setTyped(outside ?? ''));
  const problem = useProblem(typed, isWhole, min, max);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.setCustomValidity(problem ?? ''), [problem]);
  function give(next: number | string): void {
    // Too large a number arrives as text, and so does a lone sign.
    const meant = next === '' ? empty : Number(next);
    if (meant === undefined || Number.isNaN(meant) || meant === value) return;
    noteOwn(meant);
    onChange(meant);
  }
  function handleEnd(): void {
    if (typed === '' && (empty === undefined || empty === value)) setTyped(value ?? '');
    if (countsWhenLeft && problem === null) give(typed);
  }
  return (
    <NumberInput
      {...rest}
      ref={useMergedRef(ref, input)}
      error={error || problem}
      clampBehavior="none"
      value={typed}
      onChangeCapture={makeDigitsPlain}
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

/** Runs before the kit's field reads the text: that one removes the digits of other scripts. */
function makeDigitsPlain({ currentTarget: input }: ChangeEvent<HTMLInputElement>): void {
  const plain = plainDigits(input.value);
  if (plain === input.value) return;
  const { selectionStart, selectionEnd } = input;
  input.value = plain;
  input.setSelectionRange(selectionStart, selectionEnd);
}

/** What does not fit about a typed whole number; null = nothing. */
function useProblem(typed: number | string, isWhole: boolean, min?: number, max?: number): string | null {
  const { t } = useTranslation('words');
  const number = Number(typed);
  const isWithin = number >= (min ?? -Infinity) && number <= (max ?? Infinity);
  if (typed === '' || !isWhole || (Number.isInteger(number) && isWithin)) return null;
  if (min === undefined) return max === undefined ? t('wholeNumber') : t('wholeNumberTo', { max });
  return max === undefined ? t('wholeNumberFrom', { min }) : t('wholeNumberBetween', { min, max });
}
