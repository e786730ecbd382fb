import { Button, Group, Menu, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { JOURNAL_KINDS, listJournal, type JournalKind } from '#contract/journal';
import { keys } from '../../api/keys.ts';
import { TransportContext, useCall } from '../../api/transport-context.tsx';
import { endOfDayMs, localDay } from '../../forms/dates/calendar-day.ts';
import { DayField } from '../../forms/dates/day-field.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import toolbar from '../../ui/layout/toolbar.module.css';
import { QueryView } from '../../ui/query-view.tsx';
import { useDialogParam } from '../../ui/use-dialog-param.ts';
import { use } from 'react';
import { ColumnPicker } from '../../ui/columns/column-picker.tsx';
import { useEntryColumns } from './entry-columns.ts';
import { EntryDrawer } from './entry-drawer.tsx';
import { EntryTable } from './entry-table.tsx';

const PAGE_SIZE = 50;
const ASK_AFTER_MS = 250;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const ACTORS = ['admin', 'token', 'master', 'window', 'bot', 'command', 'directory'] as const;
const PERIODS = ['1', '7', '30', 'range'] as const;

interface Filters {
  actor: '' | (typeof ACTORS)[number];
  kind: '' | JournalKind;
  search: string;
  /** Days back, `range` = the days named by from and to; empty = all. */
  days: '' | (typeof PERIODS)[number];
  /** As `2026-03-21`; empty = open. Means nothing but for `range`. */
  from: string;
  to: string;
}

/** The entries, newest first, narrowed and as a file. */
export function ChangeList() {
  const { t } = useTranslation(['journal', 'shell']);
  const call = useCall();
  const transport = use(TransportContext)!;
  const [params, setParams] = useSearchParams();
  const shown = useDialogParam('entry');
  const columns = useEntryColumns();
  const filters = readFilters(params);
  const [settled] = useDebouncedValue(JSON.stringify(filters), ASK_AFTER_MS);
  const asked = JSON.parse(settled) as Filters;
  const list = useInfiniteQuery({
    queryKey: [...keys.journal, 'list', settled],
    queryFn: ({ pageParam, signal }) =>
      call(listJournal, { query: { ...queryOf(asked), before: pageParam, limit: PAGE_SIZE } }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)!.id : undefined),
  });
  const set = (name: string, value: string): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const isNarrowed = settled !== JSON.stringify(readFilters(new URLSearchParams()));
  const file = (format: string): string =>
    transport.fileUrl(
      `/panel/api/journal/export?${new URLSearchParams({ ...textsOf(queryOf(filters)), format }).toString()}`,
    );
  return (
    <>
      <Group gap="sm" className={toolbar['fields'] ?? ''}>
        <TextInput
          flex="1 1 200px"
          type="search"
          aria-label={t('filter.search')}
          placeholder={t('filter.search')}
          defaultValue={filters.search}
          onChange={(event) => set('q', event.currentTarget.value)}
        />
        <Select
          w={180}
          aria-label={t('filter.kind')}
          placeholder={t('filter.anyKind')}
          clearable
          data={JOURNAL_KINDS.map((value) => ({ value, label: t(`kindName.${value}`) }))}
          value={filters.kind === '' ? null : filters.kind}
          onChange={(value) => set('kind', value ?? '')}
        />
        <Select
          w={180}
          aria-label={t('filter.actor')}
          placeholder={t('filter.anyActor')}
          clearable
          data={ACTORS.map((value) => ({ value, label: t(`actor.${value}`) }))}
          value={filters.actor === '' ? null : filters.actor}
          onChange={(value) => set('by', value ?? '')}
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
          onChange={(value) => set('days', value ?? '')}
        />
        {filters.days === 'range' &&
          (['from', 'to'] as const).map((name) => (
            <DayField
              key={name}
              aria-label={t(`filter.${name}`)}
              value={filters[name]}
              onChange={(day) => set(name, day)}
            />
          ))}
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

function readFilters(params: URLSearchParams): Filters {
  const kind = params.get('kind') ?? '';
  const actor = params.get('by') ?? '';
  return {
    kind: JOURNAL_KINDS.find((each) => each === kind) ?? '',
    actor: ACTORS.find((each) => each === actor) ?? '',
    search: params.get('q') ?? '',
    days: PERIODS.find((each) => each === params.get('days')) ?? '',
    from: params.get('from') ?? '',
    to: params.get('to') ?? '',
  };
}

const queryOf = ({ actor, kind, search, ...time }: Filters) => ({ actor, kind, search, ...boundsOf(time) });

/** Ms since the epoch, 0 = open. */
function boundsOf({ days, from, to }: Pick<Filters, 'days' | 'from' | 'to'>): { from: number; to: number } {
  if (days === 'range') return { from: localDay(from)?.getTime() ?? 0, to: endOfDayMs(to) + 999 || 0 };
  // To the hour, so that looking again asks the same.
  return { from: days === '' ? 0 : Math.floor((Date.now() - Number(days) * DAY_MS) / HOUR_MS) * HOUR_MS, to: 0 };
}

const textsOf = (query: ReturnType<typeof queryOf>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
