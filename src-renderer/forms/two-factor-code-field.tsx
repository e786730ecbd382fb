import { TextInput, type TextInputProps } from '@mantine/core';
import { plainDigits } from './plain-digits.ts';

interface TwoFactorCodeFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onChange: (code: string) => void;
}

/** Code of an authenticator app. Apps show it in two groups, and keyboards have digits of their own. */
export function TwoFactorCodeField({ onChange, ...props }: TwoFactorCodeFieldProps) {
  return (
    <TextInput
      autoComplete="one-time-code"
      inputMode="numeric"
      dir="ltr"
      {...props}
      onChange={(event) => onChange(plainDigits(event.currentTarget.value).replaceAll(/\s/g, ''))}
    />
  );
}
