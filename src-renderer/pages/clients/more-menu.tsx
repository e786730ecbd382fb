import { Button, Menu } from '@mantine/core';
import { IconDots, IconDownload, IconTable, IconTrash, IconUpload, IconUsersPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { deleteDepletedClients, deleteOrphanClients, exportClients } from '#contract/clients/bulk';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { announceFailure } from '../../ui/notices/announce.ts';
import { confirmAction } from '../../ui/confirm.tsx';
import { saveFile } from '../../ui/files/save-file.ts';
import { useCall } from '../../api/transport-context.tsx';
import type { ListAddress } from './filters/list-address.ts';
import { useClientsCsv } from './views/use-clients-csv.ts';
import { useBulkResult } from './bulk/bulk-result-store.ts';

const ROOTS = [keys.clients, keys.groups, keys.plans, keys.inbounds];

interface MoreMenuProps {
  address: ListAddress;
  onAddMany: () => void;
  onImport: () => void;
}

/** What concerns all clients rather than one. */
export function MoreMenu({ address, onAddMany, onImport }: MoreMenuProps) {
  const { t } = useTranslation(['clientTools', 'views', 'words']);
  const csv = useClientsCsv(address);
  const call = useCall();
  const depleted = useChange(deleteDepletedClients, ROOTS);
  const orphans = useChange(deleteOrphanClients, ROOTS);
  const show = useBulkResult((state) => state.show);

  const handleExport = async (): Promise<void> => {
    try {
      saveFile('clients.json', JSON.stringify(await call(exportClients, {}), null, 2));
    } catch (error) {
      announceFailure(error as Error);
    }
  };
  const handleDelete = async (kind: 'depleted' | 'orphans'): Promise<void> => {
    const isSure = await confirmAction({
      title: t(`remove.${kind}.title`),
      text: t(`remove.${kind}.text`),
      action: t(`remove.${kind}.action`),
    });
    if (!isSure) return;
    const { mutate } = kind === 'depleted' ? depleted : orphans;
    mutate({}, { onSuccess: ({ deleted }) => show({ done: deleted, skipped: [] }), onError: announceFailure });
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDots size={16} />} loading={csv.progress !== null}>
          {t('words:more')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUsersPlus size={16} />} onClick={onAddMany}>
          {t('many.title')}
        </Menu.Item>
        <Menu.Item leftSection={<IconUpload size={16} />} onClick={onImport}>
          {t('import.title')}
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => void handleExport()}>
          {t('export')}
        </Menu.Item>
        <Menu.Item leftSection={<IconTable size={16} />} onClick={() => csv.save(null)}>
          {t('views:csvList')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} />}
          onClick={() => void handleDelete('depleted')}
        >
          {t('remove.depleted.title')}
        </Menu.Item>
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} />}
          onClick={() => void handleDelete('orphans')}
        >
          {t('remove.orphans.title')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
