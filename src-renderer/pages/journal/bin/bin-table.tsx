import { Button, Checkbox, Group, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BinItem } from '#contract/journal';
import { useFormat } from '../../../i18n/format.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { keyOf } from './bin-items.ts';

interface BinTableProps {
  items: readonly BinItem[];
  isChosen: (item: BinItem) => boolean;
  onToggle: (item: BinItem) => void;
  onRestore: (item: BinItem) => void;
  onErase: (item: BinItem) => void;
}

export function BinTable({ items, isChosen, onToggle, onRestore, onErase }: BinTableProps) {
  const { t } = useTranslation(['journal', 'words']);
  const format = useFormat();
  return (
    <CardTable
      minWidth={640}
      columns={[t('words:name'), t('words:kind'), t('bin.deleted'), t('bin.gone')]}
      actions={t('words:actions')}
    >
      {items.map((item) => (
        <Table.Tr key={keyOf(item)}>
          <Table.Th scope="row">
            <Checkbox label={<bdi>{item.name}</bdi>} checked={isChosen(item)} onChange={() => onToggle(item)} />
          </Table.Th>
          <Table.Td data-label={t('words:kind')}>{t(`kindName.${item.kind}`)}</Table.Td>
          <Table.Td data-label={t('bin.deleted')}>{format.dateTime(item.deletedAt)}</Table.Td>
          <Table.Td data-label={t('bin.gone')}>{format.date(item.goneAt)}</Table.Td>
          <Table.Td ta="end">
            <Group gap="xs" justify="flex-end" wrap="nowrap">
              <Button
                size="compact-sm"
                variant="light"
                aria-label={t('bin.restoreNamed', { name: item.name })}
                onClick={() => onRestore(item)}
              >
                {t('bin.restore')}
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('bin.eraseNamed', { name: item.name })}
                onClick={() => onErase(item)}
              >
                {t('bin.erase')}
              </Button>
            </Group>
          </Table.Td>
        </Table.Tr>
      ))}
    </CardTable>
  );
}
