import { Button, Group, Pagination, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/transport-context.tsx';
import { useFormat } from '../../i18n/format.ts';
import { ColumnPicker } from '../../ui/columns/column-picker.tsx';
import { CsvButton } from '../../ui/csv/csv-button.tsx';
import { sessionsCsv } from './sessions-csv.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { SelectionVerbs } from '../../ui/selection-verbs.tsx';
import { Hint } from '../../ui/layout/hint.tsx';
import { BulkResultDialog } from '../clients/bulk/bulk-result.tsx';
import { EndDialog } from './end-dialog.tsx';
import { SessionFilters } from './session-filters.tsx';
import { useSessionColumns } from './session-columns.ts';
import { SessionTable } from './session-table.tsx';
import { filterOf, useSessionsAddress } from './sessions-address.ts';
import { PAGE_SIZE, readSessions, useSessions } from './use-sessions.ts';

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
  const { q, guid, inbound } = address;
  const list = useSessions(address, selected.size > 0 || ending !== null);
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
            table={async () => sessionsCsv(await readSessions(call, address))}
            isDisabled={filtered === 0}
          />
          <Button variant="default" disabled={filtered === 0} onClick={() => setEnding('matching')}>
            {isFiltered ? t('endMatching', { count: filtered }) : t('endAll')}
          </Button>
        </>
      }
    >
      <SessionFilters
        address={address}
        places={list.data?.places ?? []}
        found={list.isPlaceholderData ? undefined : list.data?.filtered}
        onChange={change}
      />
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
          <Text fw={600} role="status">
            {t('selected', { count: selected.size })}
          </Text>
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
