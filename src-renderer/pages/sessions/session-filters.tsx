import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/format.ts';
import toolbar from '../../ui/layout/toolbar.module.css';
import { inboundLabel, useInboundOptions } from '../clients/use-inbound-options.ts';
import { placeName } from './place-name.ts';
import type { SessionsAddress } from './sessions-address.ts';

const SEARCH_AFTER_MS = 250;

interface SessionFiltersProps {
  address: SessionsAddress;
  places: readonly { guid: string; place: string; isHere: boolean; count: number }[];
  onChange: (part: Partial<SessionsAddress>) => void;
}

/** Which sessions are shown. */
export function SessionFilters({ address, places, onChange }: SessionFiltersProps) {
  const { t } = useTranslation('sessions');
  const format = useFormat();
  const options = useInboundOptions();
  const [text, setText] = useState(address.q);
  useEffect(() => setText(address.q), [address.q]);
  const search = useDebouncedCallback((q: string) => onChange({ q }), SEARCH_AFTER_MS);
  return (
    <Group gap="sm" className={toolbar['fields'] ?? ''}>
      <TextInput
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          search(currentTarget.value.trim());
        }}
        miw={220}
        flex={1}
      />
      <Select
        aria-label={t('place')}
        placeholder={t('place')}
        data={[
          ...places.map((one) => ({ value: one.guid, label: `${placeName(one, t)} (${format.number(one.count)})` })),
          // Nobody is there any more.
          ...(address.guid === '' || places.some(({ guid }) => guid === address.guid)
            ? []
            : [{ value: address.guid, label: address.guid }]),
        ]}
        value={address.guid || null}
        onChange={(guid) => onChange({ guid: guid ?? '' })}
        clearable
        w={190}
      />
      <Select
        aria-label={t('column.inbounds')}
        placeholder={t('column.inbounds')}
        data={(options.data ?? []).map((option) => ({ value: String(option.id), label: inboundLabel(option) }))}
        value={address.inbound || null}
        onChange={(inbound) => onChange({ inbound: inbound ?? '' })}
        searchable
        clearable
        limit={100}
        w={190}
      />
    </Group>
  );
}
