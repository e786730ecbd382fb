import { Group, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../../../ui/layout/search-field.tsx';
import toolbar from '../../../ui/layout/toolbar.module.css';
import { focusRows } from '../list/client-table.tsx';
import { ColumnMenu } from '../list/columns/column-menu.tsx';
import { FilterChips } from '../views/filter-chips.tsx';
import { ViewsMenu } from '../views/views-menu.tsx';
import type { ListAddress } from './list-address.ts';
import { MoreFilters } from './more-filters.tsx';

const SEARCH_AFTER_MS = 250;
const STATES = ['online', 'active', 'exhausted', 'expired', 'expiring', 'disabled', 'depleted', 'deactive'] as const;

interface FilterBarProps {
  address: ListAddress;
  groups: readonly string[];
  /** How many match; undefined while the response is under way. */
  found: number | undefined;
  onChange: (part: Partial<ListAddress>) => void;
}

export function FilterBar({ address, groups, found, onChange }: FilterBarProps) {
  const { t } = useTranslation('clients');
  return (
    <>
      <Group gap="sm" className={toolbar['fields'] ?? ''}>
        <SearchField
          label={t('search')}
          value={address.q}
          onSearch={(q) => onChange({ q })}
          afterMs={SEARCH_AFTER_MS}
          found={found}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            focusRows();
          }}
        />
        <Select
          aria-label={t('status.label')}
          placeholder={t('status.all')}
          data={STATES.map((value) => ({ value, label: t(`status.${value}`) }))}
          value={address.status || null}
          onChange={(status) => onChange({ status: status ?? '' })}
          clearable
          w={170}
        />
        <Select
          aria-label={t('column.group')}
          placeholder={t('column.group')}
          data={[...new Set([...groups, address.group])].filter((name) => name !== '')}
          value={address.group || null}
          onChange={(group) => onChange({ group: group ?? '' })}
          searchable
          clearable
          limit={100}
          w={170}
        />
        <MoreFilters address={address} onChange={onChange} />
        <ColumnMenu />
        <ViewsMenu address={address} onChange={onChange} />
      </Group>
      <FilterChips address={address} onChange={onChange} />
    </>
  );
}
