import { Button } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { listClientsPaged } from '#contract/clients/list';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useDialogParam } from '../../ui/address/use-dialog-param.ts';
import { useExistingPage } from '../../ui/address/use-existing-page.ts';
import { ClientList } from './list/client-list.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import { NO_FILTERS, toQuery, useListAddress } from './filters/list-address.ts';
import { MoreMenu } from './more-menu.tsx';
import { useRowMenu } from './row/row-menu-store.ts';
import { SelectionBar } from './bulk/selection-bar.tsx';

const ClientDrawer = lazy(async () => ({ default: (await import('./drawer/client-drawer.tsx')).ClientDrawer }));
const LedgerDialog = lazy(async () => ({ default: (await import('./drawer/ledger-dialog.tsx')).LedgerDialog }));
const AddManyDialog = lazy(async () => ({ default: (await import('./bulk/add-many-dialog.tsx')).AddManyDialog }));
const ImportDialog = lazy(async () => ({ default: (await import('./bulk/import-dialog.tsx')).ImportDialog }));
const ClientRowMenu = lazy(async () => ({ default: (await import('./row/client-row-menu.tsx')).ClientRowMenu }));
const CodeDialog = lazy(async () => ({ default: (await import('./row/code-dialog.tsx')).CodeDialog }));
const AmountsDialog = lazy(async () => ({ default: (await import('./row/amounts-dialog.tsx')).AmountsDialog }));
const ClientEditor = lazy(async () => ({ default: (await import('./editor/client-editor.tsx')).ClientEditor }));

/** Every client, a page at a time: the server searches, filters and sorts. */
export function ClientsPage() {
  const { t } = useTranslation(['clients', 'words', 'shell']);
  const call = useCall();
  const cache = useQueryClient();
  const { address, change } = useListAddress();
  const shown = useDialogParam('client');
  const edited = useDialogParam('edit');
  const ledger = useDialogParam('ledger');
  const code = useDialogParam('code');
  const hasMenu = useRowMenu(({ at }) => at !== null);
  const pageOf = (page: number) => ({
    queryKey: [...keys.clients, 'page', { ...address, page }],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call(
        listClientsPaged,
        { query: { ...toQuery(address), page: String(page), pageSize: String(address.size) } },
        signal,
      ),
  });
  const list = useQuery({ ...pageOf(address.page), placeholderData: keepPreviousData });
  const hasNext = list.data !== undefined && address.page * address.size < list.data.filtered;
  useEffect(() => {
    if (hasNext && !list.isPlaceholderData) void cache.prefetchQuery(pageOf(address.page + 1));
    // The address is all that the next page depends on.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [hasNext, list.isPlaceholderData, address]);
  const filtered = list.isPlaceholderData ? undefined : list.data?.filtered;
  useExistingPage({ page: address.page, size: address.size, total: filtered });
  const tool = useDialogParam('tool');
  const actions = (
    <>
      <MoreMenu address={address} onAddMany={() => tool.open('many')} onImport={() => tool.open('import')} />
      <Button onClick={() => edited.open('')}>{t('words:addClient')}</Button>
    </>
  );
  return (
    <Page title={t('shell:nav.clients')} actions={actions}>
      <FilterBar address={address} groups={list.data?.groups ?? []} onChange={change} />
      <QueryView
        query={list}
        isEmpty={({ filtered }) => filtered === 0}
        empty={
          list.data?.total === 0 ? (
            <EmptyState
              text={t('none')}
              action={<Button onClick={() => edited.open('')}>{t('words:addClient')}</Button>}
            />
          ) : (
            <EmptyState
              text={t('noMatch')}
              action={
                <Button variant="default" onClick={() => change(NO_FILTERS)}>
                  {t('clearFilters')}
                </Button>
              }
            />
          )
        }
      >
        {(newest) => (
          <ClientList
            newest={newest}
            address={address}
            isStale={list.isPlaceholderData}
            onChange={change}
            onOpen={shown.open}
            onEdit={edited.open}
            onLedger={ledger.open}
          />
        )}
      </QueryView>
      <SelectionBar address={address} filtered={filtered} groups={list.data?.groups ?? []} />
      <Suspense fallback={null}>
        {shown.value !== null && edited.value === null && (
          <ClientDrawer
            email={shown.value}
            onClose={shown.close}
            onEdit={edited.open}
            onCode={code.open}
            onLedger={ledger.open}
            onAmounts={() => tool.open('amounts')}
          />
        )}
        {hasMenu && (
          <ClientRowMenu
            onCode={code.open}
            onEdit={edited.open}
            onLedger={ledger.open}
            onAmounts={() => tool.open('amounts')}
          />
        )}
        {code.value !== null && <CodeDialog email={code.value} onClose={code.close} />}
        {tool.value === 'amounts' && <AmountsDialog onClose={tool.close} />}
        {ledger.value !== null && <LedgerDialog email={ledger.value} onClose={ledger.close} />}
        {tool.value === 'many' && <AddManyDialog onClose={tool.close} />}
        {tool.value === 'import' && <ImportDialog onClose={tool.close} />}
        {edited.value !== null && (
          <ClientEditor
            key={edited.value}
            email={edited.value}
            preferredInbound={Number(address.inbound) || 0}
            onClose={edited.close}
          />
        )}
      </Suspense>
    </Page>
  );
}
