import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { useDialogParam } from '../../ui/address/use-dialog-param.ts';
import { ClientDialogs } from './client-dialogs.tsx';
import { ClientList } from './list/client-list.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import { NO_FILTERS, useListAddress } from './filters/list-address.ts';
import { MoreMenu } from './more-menu.tsx';
import { SelectionBar } from './bulk/selection-bar.tsx';
import { useClients } from './use-clients.ts';

/** Every client, a page at a time: the server searches, filters and sorts. */
export function ClientsPage() {
  const { t } = useTranslation(['clients', 'words', 'shell']);
  const { address, change } = useListAddress();
  const shown = useDialogParam('client');
  const edited = useDialogParam('edit');
  const ledger = useDialogParam('ledger');
  const { list, filtered } = useClients(address);
  const tool = useDialogParam('tool');
  const actions = (
    <>
      <MoreMenu address={address} onAddMany={() => tool.open('many')} onImport={() => tool.open('import')} />
      <Button onClick={() => edited.open('')}>{t('words:addClient')}</Button>
    </>
  );
  return (
    <Page title={t('shell:nav.clients')} actions={actions}>
      <FilterBar address={address} groups={list.data?.groups ?? []} found={filtered} onChange={change} />
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
      <ClientDialogs preferredInbound={Number(address.inbound) || 0} />
    </Page>
  );
}
