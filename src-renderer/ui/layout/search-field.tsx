import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';

interface SearchFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  label: string;
  /** What is searched for now. */
  value: string;
  onSearch: (text: string) => void;
  /** The search waits this long for the next letter; 0 = it does not. */
  afterMs?: number;
}

/** The search above a list. */
export function SearchField({ label, value, onSearch, afterMs = 0, ...rest }: SearchFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const search = useDebouncedCallback((next: string) => onSearch(next.trim()), afterMs);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        if (afterMs === 0) onSearch(currentTarget.value);
        else search(currentTarget.value);
      }}
      miw={220}
      flex={1}
      {...rest}
    />
  );
}
