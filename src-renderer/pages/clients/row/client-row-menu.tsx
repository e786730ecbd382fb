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
    <Menu
      opened={isOpen}
      onClose={handleClose}
      position="bottom-end"
      // On a phone it is longer than the room below its row.
      middlewares={{ flip: true, shift: true, size: true }}
      withinPortal
      // The key that opens it is pressed outside of it.
      clickOutsideEvents={['mousedown', 'touchstart']}
      hideDetached={false}
      returnFocus={false}
      shadow="md"
    >
      <Menu.Target>
        <button
          type="button"
          className={classes['menuPlace']}
          style={{ insetBlockStart: y, left: x }}
          tabIndex={-1}
          aria-hidden={!isOpen}
          aria-label={t('menu', { email: client.email })}
        />
      </Menu.Target>
      <Menu.Dropdown style={{ overflowY: 'auto' }}>
        <ClientVerbItems client={client} verbs={verbs} {...more} />
      </Menu.Dropdown>
    </Menu>
  );
}
