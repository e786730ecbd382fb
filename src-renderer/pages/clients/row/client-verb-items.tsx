import { Menu } from '@mantine/core';
import {
  IconCalendarPlus,
  IconCopy,
  IconEdit,
  IconListDetails,
  IconPlugConnectedX,
  IconPower,
  IconQrcode,
  IconRestore,
  IconSettings,
  IconTrash,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { VerbClient } from './row-menu-store.ts';
import type { useClientVerbs } from './use-client-verbs.ts';

interface ClientVerbItemsProps {
  client: VerbClient;
  verbs: ReturnType<typeof useClientVerbs>;
  /** Opens which source moved how much and when. */
  onLedger: (email: string) => void;
  onAmounts: () => void;
  /** Absent where the client is open already. */
  onEdit?: (email: string) => void;
  /** Told once the client was deleted. */
  onDeleted?: () => void;
}

const ICON = { size: 16, 'aria-hidden': true } as const;

/** The verbs of one client as items of a menu, for its row and for its drawer. */
export function ClientVerbItems({ client, verbs, onLedger, onAmounts, onEdit, onDeleted }: ClientVerbItemsProps) {
  const { t } = useTranslation(['rowVerbs', 'words']);
  return (
    <>
      <Menu.Item leftSection={<IconQrcode {...ICON} />} onClick={verbs.showCode}>
        {t('showCode')}
      </Menu.Item>
      <Menu.Item leftSection={<IconCopy {...ICON} />} onClick={verbs.copyLink}>
        {t('copyLink')}
      </Menu.Item>
      {onEdit !== undefined && (
        <Menu.Item leftSection={<IconEdit {...ICON} />} onClick={() => onEdit(client.email)}>
          {t('words:edit')}
        </Menu.Item>
      )}
      <Menu.Divider />
      {verbs.additions.map(({ label, onClick }) => (
        <Menu.Item key={label} leftSection={<IconCalendarPlus {...ICON} />} onClick={onClick}>
          {label}
        </Menu.Item>
      ))}
      <Menu.Item leftSection={<IconSettings {...ICON} />} onClick={verbs.adjust}>
        {t('adjust')}
      </Menu.Item>
      <Menu.Item leftSection={<IconSettings {...ICON} />} onClick={onAmounts}>
        {t('amounts.menu')}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={<IconPower {...ICON} />} onClick={verbs.toggle}>
        {client.enable ? t('disable') : t('words:enable')}
      </Menu.Item>
      <Menu.Item leftSection={<IconPlugConnectedX {...ICON} />} onClick={verbs.endSessions}>
        {t('words:endSessions')}
      </Menu.Item>
      <Menu.Item leftSection={<IconListDetails {...ICON} />} onClick={() => onLedger(client.email)}>
        {t('ledger')}
      </Menu.Item>
      <Menu.Item leftSection={<IconRestore {...ICON} />} onClick={verbs.reset}>
        {t('reset')}
      </Menu.Item>
      <Menu.Item
        c="var(--mantine-color-error)"
        leftSection={<IconTrash {...ICON} />}
        onClick={() => verbs.remove(onDeleted)}
      >
        {t('delete')}
      </Menu.Item>
    </>
  );
}
