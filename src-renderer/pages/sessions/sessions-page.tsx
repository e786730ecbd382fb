import { Button, Group, Pagination, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listLiveSessions, SORTS, type LiveSession } from '#contract/liveSessions';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/format.ts';
import { ColumnPicker } from '../../ui/columns/column-picker.tsx';
import { CsvButton } from '../../ui/csv-button.tsx';
import { sessionsCsv } from './sessions-csv.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SelectionVerbs } from '../../ui/selection-verbs.tsx';
import { useExistingPage } from '../../ui/address/use-existing-page.ts';
import { Hint } from '../../ui/layout/hint.tsx';
import { BulkResultDialog } from '../clients/bulk/bulk-result.tsx';
import { EndDialog } from './end-dialog.tsx';
import { SessionFilters } from './session-filters.tsx';
import { useSessionColumns } from './session-columns.ts';
import { SessionTable } from './session-table.tsx';
import { filterOf, useSessionsAddress, type SessionsAddress } from './sessions-address.ts';

const PAGE_SIZE = 50;
/** Rows per answer while all of them are read. */
const READ_SIZE = 200;
/** Counters change with the readings, every five seconds. */
const ASK_AGAIN_MS = 5_000;

/** The sessions to end: the selected ones, or all that match. */
type Ending = { emails: readonly string[] } | 'matching' | null;

/** Present sessions, and ending them. The server filters, sorts and pages. */
export function SessionsPage() {
  const { t } = useTranslation(['sessions', 'words']);
  const call = useCall();
  const format = useFormat();
  const { address, change } = useSessionsAddress();
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  const [ending, setEnding] = useState<Ending>(null);
  const isHeld = selected.size > 0 || ending !== null;
  const { q, guid, inbound } = address;
  const list = useRead(
    listLiveSessions,
    { query: { ...queryOf(address), page: String(address.page), pageSize: String(PAGE_SIZE) } },
    [...keys.clients, 'live', address],
    {
      placeholderData: keepPreviousData,
      // Rows must not move under a selection.
      refetchInterval: isHeld ? false : ASK_AGAIN_MS,
    },
  );
  useExistingPage({
    page: address.page,
    size: PAGE_SIZE,
    total: list.isPlaceholderData ? undefined : list.data?.filtered,
  });
  const columns = useSessionColumns();
  const isFiltered = q !== '' || guid !== '' || inbound !== '';
  const filtered = list.data?.filtered ?? 0;
  const toggle = (emails: readonly string[], isOn: boolean): void =>
    select((before) =>
      isOn ? new Set([...before, ...emails]) : new Set([...before].filter((one) => !emails.includes(one))),
    );
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <ColumnPicker choice={columns} nameOf={(id) => t(`column.${id}`)} />
          <CsvButton
            name="sessions"
            table={async () => sessionsCsv(await readAll(call, address))}
            isDisabled={filtered === 0}
          />
          <Button variant="default" disabled={filtered === 0} onClick={() => setEnding('matching')}>
            {isFiltered ? t('endMatching', { count: filtered }) : t('endAll')}
          </Button>
        </>
      }
    >
      <SessionFilters address={address} places={list.data?.places ?? []} onChange={change} />
      <QueryView
        query={list}
        isEmpty={({ filtered }) => filtered === 0}
        empty={
          <EmptyState
            text={isFiltered ? t('noMatch') : t('none')}
            {...(isFiltered && {
              action: (
                <Button variant="default" onClick={() => change({ q: '', guid: '', inbound: '' })}>
                  {t('clear')}
                </Button>
              ),
            })}
          />
        }
      >
        {({ items, total, now }) => (
          <>
            <Hint>
              {filtered === total
                ? t('count', { count: total })
                : t('countOf', { count: format.number(filtered), total: format.number(total) })}
            </Hint>
            <SessionTable
              items={items}
              now={now}
              address={address}
              onChange={change}
              selected={selected}
              onSelect={toggle}
              onEnd={(email) => setEnding({ emails: [email] })}
            />
            {filtered > PAGE_SIZE && (
              <Group justify="center">
                <Pagination
                  total={Math.ceil(filtered / PAGE_SIZE)}
                  value={address.page}
                  onChange={(page) => change({ page })}
                  getItemProps={(page) => ({ children: format.number(page), 'aria-label': format.number(page) })}
                  getControlProps={(control) => ({ 'aria-label': t(`page.${control as 'next' | 'previous'}`) })}
                  size="sm"
                />
              </Group>
            )}
          </>
        )}
      </QueryView>
      {selected.size > 0 && (
        <SelectionVerbs
          label={t('selection')}
          verbs={[
            { label: t('words:endSessions'), isDanger: true, onClick: () => setEnding({ emails: [...selected] }) },
          ]}
          onClear={() => select(new Set())}
        >
          <Text fw={600}>{t('selected', { count: selected.size })}</Text>
        </SelectionVerbs>
      )}
      {ending !== null && (
        <EndDialog
          emails={ending === 'matching' ? null : ending.emails}
          filter={filterOf(address)}
          count={ending === 'matching' ? filtered : ending.emails.length}
          onClose={() => setEnding(null)}
          onDone={() => select(new Set())}
        />
      )}
      <BulkResultDialog />
    </Page>
  );
}

function queryOf({ q, guid, inbound, sort, order }: SessionsAddress) {
  return {
    q,
    guid,
    ...(inbound !== '' && { inbound }),
    sort: SORTS.find((name) => name === sort) ?? 'email',
    order: order === 'descend' ? ('descend' as const) : ('ascend' as const),
  };
}

/** Every session that matches, page after page. */
async function readAll(call: ReturnType<typeof useCall>, address: SessionsAddress): Promise<LiveSession[]> {
  const rows: LiveSession[] = [];
  for (let page = 1; ; page++) {
    const query = { ...queryOf(address), page: String(page), pageSize: String(READ_SIZE) };
    const { items, filtered } = await call(listLiveSessions, { query });
    rows.push(...items);
    if (items.length === 0 || page * READ_SIZE >= filtered) return rows;
  }
}
