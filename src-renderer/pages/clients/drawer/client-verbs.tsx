import { Button, Group, Menu } from '@mantine/core';
import { IconDots, IconEdit, IconQrcode } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ClientVerbItems } from '../row/client-verb-items.tsx';
import type { VerbClient } from '../row/row-menu-store.ts';
import { useClientVerbs } from '../row/use-client-verbs.ts';

interface ClientVerbsProps {
  client: VerbClient;
  onEdit: (email: string) => void;
  onCode: (email: string) => void;
  onLedger: (email: string) => void;
  onAmounts: () => void;
  onDeleted: () => void;
}

/** The verbs of a client in its drawer: the most used as buttons, all of them in the menu. */
export function ClientVerbs({ client, onEdit, onCode, onDeleted, ...more }: ClientVerbsProps) {
  const { t } = useTranslation(['rowVerbs', 'words']);
  const verbs = useClientVerbs(client, onCode);
  const [first] = verbs.additions;
  return (
    <Group gap="xs">
      <Button size="sm" leftSection={<IconEdit size={16} aria-hidden />} onClick={() => onEdit(client.email)}>
        {t('words:edit')}
      </Button>
      <Button size="sm" variant="default" leftSection={<IconQrcode size={16} aria-hidden />} onClick={verbs.showCode}>
        {t('rowVerbs:code.short')}
      </Button>
      {first !== undefined && (
        <Button size="sm" variant="default" loading={verbs.isBusy} onClick={first.onClick}>
          {first.label}
        </Button>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button size="sm" variant="default" leftSection={<IconDots size={16} aria-hidden />}>
            {t('words:more')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ClientVerbItems client={client} verbs={verbs} onDeleted={onDeleted} {...more} />
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
