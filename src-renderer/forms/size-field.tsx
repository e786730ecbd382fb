import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bytesOf, parseSize, sizeText, type ByteUnit } from './byte-size.ts';
import { Hint } from '../ui/layout/hint.tsx';
import { useOutsideChange } from '../ui/use-outside-change.ts';

/** Bytes; a text = what was typed and cannot be understood, which no schema takes; nothing = empty. */
export type Size = number | string | undefined;

interface SizeFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'rightSection'> {
  value: Size;
  onChange: (value: Size) => void;
  /** Of a number without a unit. */
  unit?: ByteUnit;
  /** What it is stored in: a size between two of them is refused. */
  step?: ByteUnit;
  /** Smallest in bytes. */
  min?: number;
  /** What an empty field means; nothing = absent. */
  empty?: 0;
}

/** A size typed with its unit, shown back as it was understood. The one field for sizes. */
export function SizeField({
  value,
  onChange,
  unit = 'GiB',
  step = 'B',
  min = 0,
  empty,
  error,
  description,
  onBlur,
  ...rest
}: SizeFieldProps) {
  const { t } = useTranslation('shell');
  const read = (text: string): Size => {
    if (text.trim() === '') return empty;
    const bytes = parseSize(text, unit);
    return bytes === null || problemOf(bytes) !== null ? text : bytes;
  };
  function problemOf(bytes: number): string | null {
    if (!Number.isSafeInteger(bytes)) return t('size.tooMuch');
    if (bytes < min) return t('size.tooLittle', { size: sizeText(min) });
    return bytes % bytesOf(step) === 0 ? null : t('size.whole', { unit: step });
  }
  function complaint(text: string): string {
    const bytes = parseSize(text, unit);
    return (bytes === null ? null : problemOf(bytes)) ?? t('size.unclear');
  }
  const [typed, setTyped] = useState<string | null>(null);
  // What was typed stands until the value is changed from elsewhere.
  const noteOwn = useOutsideChange(value, () => setTyped(null));
  const stored = value === undefined ? '' : typeof value === 'string' ? value : value === 0 ? '0' : sizeText(value);
  const text = typed ?? stored;
  const isUnderstood = typed !== null && typeof value === 'number' && typed.trim() !== stored;
  return (
    <TextInput
      {...rest}
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => {
        const size = read(currentTarget.value);
        setTyped(currentTarget.value);
        noteOwn(size);
        onChange(size);
      }}
      onBlur={(event) => {
        if (typeof value === 'number') setTyped(null);
        onBlur?.(event);
      }}
      error={typeof value === 'string' ? complaint(value) : error}
      description={isUnderstood ? t('size.understood', { size: stored }) : description}
      {...(/\p{L}/u.test(text)
        ? {}
        : {
            rightSectionWidth: 48,
            rightSection: <Hint>{unit}</Hint>,
          })}
    />
  );
}
