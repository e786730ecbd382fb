import { Alert, Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ClientPage } from '#contract/clients/list';
import { ClientTable } from './client-table.tsx';
import { useActions } from '../actions/action-store.ts';
import type { ListAddress } from '../filters/list-address.ts';
import { Pager } from './pager.tsx';
import { useRowMenu } from '../row/row-menu-store.ts';
import { useSelection } from '../bulk/selection-store.ts';
import { useSteadyPage } from './use-steady-page.ts';

interface ClientListProps {
  newest: ClientPage;
  address: ListAddress;
  /** Whether these are rows of the previous address, shown until the next ones come. */
  isStale: boolean;
  onChange: (part: Partial<ListAddress>) => void;
  onOpen: (email: string) => void;
  onEdit: (email: string) => void;
  onLedger: (email: string) => void;
}

/** A page of the list, whose rows stay in place while some are selected or in a dialog. */
export function ClientList({ newest, address, isStale, onChange, onOpen, onEdit, onLedger }: ClientListProps) {
  const { t } = useTranslation('clients');
  const isSelecting = useSelection((state) => state.emails.size > 0);
  const isDialogOpen = useActions((state) => state.dialog !== null);
  const isMenuOpen = useRowMenu(({ isOpen }) => isOpen);
  const place = isStale ? '' : JSON.stringify(address);
  const { page, waiting, refresh } = useSteadyPage(newest, place, isSelecting || isDialogOpen || isMenuOpen);
  return (
    <>
      {waiting > 0 && (
        <Alert color="blue" py={6} mb="xs" role="status">
          <Group justify="space-between" gap="xs">
            {t('waiting', { count: waiting })}
            <Button size="xs" variant="default" onClick={refresh}>
              {t('refresh')}
            </Button>
          </Group>
        </Alert>
      )}
      <ClientTable
        page={page}
        address={address}
        isStale={isStale}
        onSort={onChange}
        onOpen={onOpen}
        onEdit={onEdit}
        onLedger={onLedger}
      />
      <Pager address={address} filtered={page.filtered} onChange={onChange} />
    </>
  );
}
