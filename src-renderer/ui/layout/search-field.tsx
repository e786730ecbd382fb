import { TextInput, VisuallyHidden, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withoutMarks } from '../../i18n/i18n.ts';
import { useOutsideChange } from '../use-outside-change.ts';

interface SearchFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  label: string;
  /** The current search. */
  value: string;
  onSearch: (text: string) => void;
  /** Debounce before the search runs; 0 = none. */
  afterMs?: number;
  /** How many it found, for screen readers; absent = not known, or not yet. */
  found?: number | undefined;
}

/** The search field above a list. */
export function SearchField({ label, value, onSearch, afterMs = 0, found, ...rest }: SearchFieldProps) {
  const { t } = useTranslation('shell');
  const [text, setText] = useState(value);
  const noteOwn = useOutsideChange(value, setText);
  // What a search found is read out, not what a live list comes to after it.
  const [announced, setAnnounced] = useState({ value: '', count: 0 });
  if (found !== undefined && announced.value !== value) setAnnounced({ value, count: found });
  function search(next: string): void {
    noteOwn(next);
    onSearch(next);
  }
  const searchLater = useDebouncedCallback((next: string) => search(next.trim()), afterMs);
  return (
    <>
      <TextInput
        type="search"
        aria-label={label}
        placeholder={label}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => {
          const typed = withoutMarks(currentTarget.value);
          setText(typed);
          if (afterMs === 0) search(typed);
          else searchLater(typed);
        }}
        miw={220}
        flex={1}
        {...rest}
      />
      <VisuallyHidden role="status">
        {value !== '' && value === announced.value && t('found', { count: announced.count })}
      </VisuallyHidden>
    </>
  );
}
