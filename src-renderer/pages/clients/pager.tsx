import { Group, Pagination, Select, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ListAddress } from './list-address.ts';

const SIZES = ['25', '50', '100', '200'];

interface PagerProps {
  address: ListAddress;
  filtered: number;
  onChange: (part: Partial<ListAddress>) => void;
}

export function Pager({ address, filtered, onChange }: PagerProps) {
  const { t } = useTranslation('clients');
  return (
    <Group justify="space-between" mt="sm" component="nav" aria-label={t('pages')}>
      <Text size="sm">{t('count', { count: filtered })}</Text>
      <Pagination
        total={Math.max(1, Math.ceil(filtered / address.size))}
        value={address.page}
        onChange={(page) => onChange({ page })}
        getItemProps={(page) => ({ 'aria-label': String(page) })}
        getControlProps={(control) => ({ 'aria-label': t(`control.${control as 'next' | 'previous'}`) })}
        size="sm"
      />
      <Select
        aria-label={t('pageSize')}
        data={SIZES}
        value={String(address.size)}
        onChange={(size) => onChange({ size: Number(size ?? SIZES[0]) })}
        allowDeselect={false}
        w={90}
      />
    </Group>
  );
}
