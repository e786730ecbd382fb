import { Group, Select } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { ColumnPicker } from '../../../ui/columns/column-picker.tsx';
import { SearchField } from '../../../ui/layout/search-field.tsx';
import toolbar from '../../../ui/layout/toolbar.module.css';
import { useInboundColumns } from './inbound-columns.ts';
import { SORTS, type InboundChoice } from './shown-inbounds.ts';

const STATES = ['on', 'off', 'notRunning'] as const;

interface InboundFilterBarProps {
  choice: InboundChoice;
  protocols: readonly string[];
  /** How many are shown. */
  found: number;
  onChoose: (part: Partial<InboundChoice>) => void;
}

/** Search, filters and, where there are no headings to click, the order. */
export function InboundFilterBar({ choice, protocols, found, onChoose }: InboundFilterBarProps) {
  const { t } = useTranslation(['inboundTools', 'inbounds', 'words']);
  const columns = useInboundColumns();
  const isPhone = useMediaQuery('(max-width: 48em)') ?? false;
  return (
    <Group gap="sm" className={toolbar['fields'] ?? ''}>
      <SearchField label={t('search')} value={choice.q} onSearch={(q) => onChoose({ q })} found={found} />
      <Select
        aria-label={t('words:protocol')}
        placeholder={t('words:protocol')}
        data={[...new Set([...protocols, choice.protocol])].filter((name) => name !== '').sort()}
        value={choice.protocol || null}
        onChange={(protocol) => onChoose({ protocol: protocol ?? '' })}
        clearable
        w={170}
      />
      <Select
        aria-label={t('state.label')}
        placeholder={t('state.label')}
        data={STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
        value={choice.state || null}
        onChange={(state) => onChoose({ state: state ?? '' })}
        clearable
        w={170}
      />
      {!isPhone && <ColumnPicker choice={columns} nameOf={(id) => t(`inbounds:column.${id}`)} />}
      {isPhone && (
        <Select
          aria-label={t('sort')}
          placeholder={t('sort')}
          data={SORTS.map((value) => ({ value, label: t(`inbounds:column.${value}`) }))}
          value={choice.sort || null}
          onChange={(sort) =>
            onChoose({ sort: sort ?? '', order: sort === 'clients' || sort === 'traffic' ? 'descend' : '' })
          }
          clearable
          w={170}
        />
      )}
    </Group>
  );
}
