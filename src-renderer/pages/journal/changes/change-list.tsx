import { Button, Group, Menu } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { use } from 'react';
import { useTranslation } from 'react-i18next';
import { listJournal } from '#contract/journal';
import { keys } from '../../../api/keys.ts';
import { TransportContext, useCall } from '../../../api/transport-context.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import toolbar from '../../../ui/layout/toolbar.module.css';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { useDialogParam } from '../../../ui/address/use-dialog-param.ts';
import { ColumnPicker } from '../../../ui/columns/column-picker.tsx';
import { useEntryColumns } from './entry-columns.ts';
import { EntryDrawer } from './entry-drawer.tsx';
import { EntryTable } from './entry-table.tsx';
import { FilterFields } from './filter-fields.tsx';
import { queryOf, readFilters, textsOf } from './filters.ts';
import { useAddressParams } from '../../../ui/address/use-address-params.ts';

const PAGE_SIZE = 50;

/** The journal's entries, newest first, filtered and exported. */
export function ChangeList() {
  const { t } = useTranslation(['journal', 'shell']);
  const call = useCall();
  const transport = use(TransportContext)!;
  const [params, setParams] = useAddressParams();
  const shown = useDialogParam('entry');
  const columns = useEntryColumns();
  const filters = readFilters(params);
  const list = useInfiniteQuery({
    queryKey: [...keys.journal, 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      call(listJournal, { query: { ...queryOf(filters), before: pageParam, limit: PAGE_SIZE } }, signal),
    initialPageParam: 0,
    // No event tells of new entries: each visit has those of the changes before it.
    staleTime: 0,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)!.id : undefined),
  });
  const set = (name: string, value: string): void => setParams({ [name]: value }, { replace: true });
  const isNarrowed = Object.values(filters).some((choice) => choice !== '');
  const file = (format: string): string =>
    transport.fileUrl(
      `/panel/api/journal/export?${new URLSearchParams({ ...textsOf(queryOf(filters)), format }).toString()}`,
    );
  return (
    <>
      <Group gap="sm" className={toolbar['fields'] ?? ''}>
        <FilterFields filters={filters} onChange={set} />
        <ColumnPicker choice={columns} nameOf={(id) => t(id)} />
        <Menu withinPortal>
          <Menu.Target>
            <Button variant="default">{t('export')}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item component="a" href={file('csv')} download="journal.csv">
              CSV
            </Menu.Item>
            <Menu.Item component="a" href={file('json')} download="journal.json">
              JSON
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      <QueryView
        query={list}
        isEmpty={({ pages }) => pages[0]?.entries.length === 0}
        empty={<EmptyState text={isNarrowed ? t('noMatch') : t('none')} />}
      >
        {({ pages }) => (
          <>
            <EntryTable entries={pages.flatMap(({ entries }) => entries)} onShow={(id) => shown.open(String(id))} />
            {list.hasNextPage && (
              <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {t('older')}
              </Button>
            )}
          </>
        )}
      </QueryView>
      {shown.value !== null && /^\d+$/.test(shown.value) && (
        <EntryDrawer
          key={shown.value}
          id={Number(shown.value)}
          onClose={shown.close}
          onShow={(id) => shown.open(String(id))}
        />
      )}
    </>
  );
}
