import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bytesOf, parseSize, sizeText, type ByteUnit } from './byte-size.ts';
import { Hint } from '../ui/layout/hint.tsx';
import { useOutsideChange } from '../ui/use-outside-change.ts';

/** Bytes; a text = typed but not understood, which no schema accepts; undefined = empty. */
export type Size = number | string | undefined;

interface SizeFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'rightSection'> {
  value: Size;
  onChange: (value: Size) => void;
  /** Unit of a number without one. */
  unit?: ByteUnit;
  /** Unit of storage: a size that is not a multiple of it is refused. */
  step?: ByteUnit;
  /** Smallest in bytes. */
  min?: number;
  /** The value of an empty field; absent = undefined. */
  empty?: 0;
}

/** A size typed with its unit, shown back as it was understood. All sizes are edited with this field. */
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
  // The typed text stays until the value changes from outside.
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
