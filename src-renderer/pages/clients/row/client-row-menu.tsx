import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '../clients.module.css';
import { ClientVerbItems } from './client-verb-items.tsx';
import { useRowMenu, type VerbClient } from './row-menu-store.ts';
import { useClientVerbs } from './use-client-verbs.ts';

interface ClientRowMenuProps {
  onCode: (email: string) => void;
  onEdit: (email: string) => void;
  onLedger: (email: string) => void;
  onAmounts: () => void;
}

const NO_CLIENT: VerbClient = { email: '', enable: false, totalGB: 0, expiryTime: 0 };

/** The menu of the row that asked for it. It stays when it is closed, so that answers to what was chosen are told. */
export function ClientRowMenu({ onCode, ...more }: ClientRowMenuProps) {
  const { t } = useTranslation('rowVerbs');
  const { at, isOpen, close } = useRowMenu();
  const { client, x, y, from } = at ?? { client: NO_CLIENT, x: 0, y: 0, from: null };
  const verbs = useClientVerbs(client, onCode);
  const handleClose = (): void => {
    close();
    // A dialog that an item opened takes the focus after this, and gives it back to the row.
    from?.focus({ preventScroll: true });
  };
  return (
    <Menu opened={isOpen} onClose={handleClose} position="bottom-end" withinPortal returnFocus={false} shadow="md">
      <Menu.Target>
        <button
          type="button"
          className={classes['menuPlace']}
          style={{ insetBlockStart: y, left: x }}
          tabIndex={-1}
          hidden={!isOpen}
          aria-label={t('menu', { email: client.email })}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <ClientVerbItems client={client} verbs={verbs} {...more} />
      </Menu.Dropdown>
    </Menu>
  );
}
