import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { JOURNAL_KINDS } from '#contract/journal';
import { DayField } from '../../../forms/dates/day-field.tsx';
import { SearchField } from '../../../ui/layout/search-field.tsx';
import { ACTORS, PERIODS, type Filters } from './filters.ts';

const SEARCH_AFTER_MS = 250;

interface FilterFieldsProps {
  filters: Filters;
  /** Sets a parameter of the address; empty removes it. */
  onChange: (name: string, value: string) => void;
}

export function FilterFields({ filters, onChange }: FilterFieldsProps) {
  const { t } = useTranslation('journal');
  return (
    <>
      <SearchField
        label={t('filter.search')}
        value={filters.search}
        onSearch={(text) => onChange('q', text)}
        afterMs={SEARCH_AFTER_MS}
      />
      <Select
        w={180}
        aria-label={t('filter.kind')}
        placeholder={t('filter.anyKind')}
        clearable
        data={JOURNAL_KINDS.map((value) => ({ value, label: t(`kindName.${value}`) }))}
        value={filters.kind === '' ? null : filters.kind}
        onChange={(value) => onChange('kind', value ?? '')}
      />
      <Select
        w={180}
        aria-label={t('filter.actor')}
        placeholder={t('filter.anyActor')}
        clearable
        data={ACTORS.map((value) => ({ value, label: t(`actor.${value}`) }))}
        value={filters.actor === '' ? null : filters.actor}
        onChange={(value) => onChange('by', value ?? '')}
      />
      <Select
        w={180}
        aria-label={t('filter.period')}
        placeholder={t('filter.anyTime')}
        clearable
        data={PERIODS.map((value) => ({
          value,
          label: value === 'range' ? t('filter.range') : t('filter.days', { count: Number(value) }),
        }))}
        value={filters.days === '' ? null : filters.days}
        onChange={(value) => onChange('days', value ?? '')}
      />
      {filters.days === 'range' &&
        (['from', 'to'] as const).map((name) => (
          <DayField
            key={name}
            aria-label={t(`filter.${name}`)}
            value={filters[name]}
            onChange={(day) => onChange(name, day)}
          />
        ))}
    </>
  );
}
