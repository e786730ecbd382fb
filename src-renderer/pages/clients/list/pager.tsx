import { Group, Pagination, Select, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/format.ts';
import type { ListAddress } from '../filters/list-address.ts';

const SIZES = ['25', '50', '100', '200'];

interface PagerProps {
  address: ListAddress;
  filtered: number;
  onChange: (part: Partial<ListAddress>) => void;
}

export function Pager({ address, filtered, onChange }: PagerProps) {
  const { t } = useTranslation('clients');
  const format = useFormat();
  return (
    <Group justify="space-between" mt="sm" component="nav" aria-label={t('pages')}>
      <Text size="sm">{t('count', { count: filtered })}</Text>
      <Pagination
        total={Math.max(1, Math.ceil(filtered / address.size))}
        value={address.page}
        onChange={(page) => onChange({ page })}
        getItemProps={(page) => ({ children: format.number(page), 'aria-label': format.number(page) })}
        getControlProps={(control) => ({ 'aria-label': t(`control.${control as 'next' | 'previous'}`) })}
        size="sm"
      />
      <Select
        aria-label={t('pageSize')}
        data={SIZES.map((size) => ({ value: size, label: format.number(Number(size)) }))}
        value={String(address.size)}
        onChange={(size) => onChange({ size: Number(size ?? SIZES[0]) })}
        allowDeselect={false}
        w={90}
      />
    </Group>
  );
}
