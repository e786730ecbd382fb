import { Anchor, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { JournalEntry } from '#contract/journal';
import { useFormat } from '../../../i18n/format.ts';
import { shownColumns } from '../../../ui/columns/column-choice.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { partWords } from '../../../ui/notices/part-words.ts';
import { Chip } from '../../../ui/palette/chip.tsx';
import { actorWords } from './actor-words.ts';
import { inWords } from './field-words.ts';
import { useEntryColumns, type EntryColumn } from './entry-columns.ts';

/** Entries with their author and state. */
export function EntryTable({ entries, onShow }: { entries: readonly JournalEntry[]; onShow: (id: number) => void }) {
  const { t } = useTranslation(['journal', 'shell', 'settings', 'words']);
  const format = useFormat();
  const choice = useEntryColumns();
  const columns = shownColumns(choice);
  const cellsOf = (entry: JournalEntry): Record<EntryColumn, ReactNode> => ({
    who: (
      <Table.Td key="who" data-label={t('who')}>
        <bdi>{actorWords(t, entry)}</bdi>
      </Table.Td>
    ),
    when: (
      <Table.Td key="when" data-label={t('when')} style={{ whiteSpace: 'nowrap' }}>
        {format.dateTime(entry.at)}
      </Table.Td>
    ),
    state: (
      <Table.Td key="state" data-label={t('words:state')} style={{ whiteSpace: 'nowrap' }}>
        {entry.undoneBy > 0 ? (
          <Chip tone="gray">{t('undone')}</Chip>
        ) : (
          <Text span size="sm" c="dimmed">
            {entry.undoRefusal === '' ? t('stands') : t('noted')}
          </Text>
        )}
      </Table.Td>
    ),
  });
  return (
    <CardTable
      minWidth={columns.length * 130 + 250}
      density={choice.density}
      columns={(['what', ...columns] as const).map((column) => t(column))}
    >
      {entries.map((entry) => (
        <Table.Tr key={entry.id}>
          <Table.Th scope="row">
            <Anchor component="button" type="button" ta="start" onClick={() => onShow(entry.id)}>
              {entryWords(entry)}
            </Anchor>
          </Table.Th>
          {columns.map((column) => cellsOf(entry)[column])}
        </Table.Tr>
      ))}
    </CardTable>
  );

  function entryWords({ parts, undoOf }: JournalEntry): string {
    const said = parts.map((part) => partWords(t, inWords(t, part))).join('; ');
    return undoOf > 0 ? t('undoOf', { id: undoOf, said }) : said;
  }
}
