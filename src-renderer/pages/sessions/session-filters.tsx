import { Group, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/format.ts';
import { SearchField } from '../../ui/layout/search-field.tsx';
import toolbar from '../../ui/layout/toolbar.module.css';
import { failureOf } from '../../api/use-read.ts';
import { inboundLabel, useInboundOptions } from '../clients/use-inbound-options.ts';
import { placeName } from './place-name.ts';
import type { SessionsAddress } from './sessions-address.ts';

const SEARCH_AFTER_MS = 250;

interface SessionFiltersProps {
  address: SessionsAddress;
  places: readonly { guid: string; place: string; isHere: boolean; count: number }[];
  /** How many match; undefined while the response is under way. */
  found: number | undefined;
  onChange: (part: Partial<SessionsAddress>) => void;
}

/** The filters of the list. */
export function SessionFilters({ address, places, found, onChange }: SessionFiltersProps) {
  const { t } = useTranslation('sessions');
  const format = useFormat();
  const options = useInboundOptions();
  return (
    <Group gap="sm" className={toolbar['fields'] ?? ''}>
      <SearchField
        label={t('search')}
        value={address.q}
        onSearch={(q) => onChange({ q })}
        afterMs={SEARCH_AFTER_MS}
        found={found}
      />
      <Select
        aria-label={t('place')}
        placeholder={t('place')}
        data={[
          ...places.map((one) => ({ value: one.guid, label: `${placeName(one, t)} (${format.number(one.count)})` })),
          // It has no sessions any more.
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
        error={failureOf(options)}
        onChange={(inbound) => onChange({ inbound: inbound ?? '' })}
        searchable
        clearable
        limit={100}
        w={190}
      />
    </Group>
  );
}
