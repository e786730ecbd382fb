import { ActionIcon, Button, Group, Table } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { downloadAutomaticBackup, listAutomaticBackups, type AutomaticBackup } from '#contract/backup';
import { keys } from '../../../api/keys.ts';
import { useTransport } from '../../../api/transport-context.tsx';
import { useRead } from '../../../api/use-read.ts';
import { useFormat } from '../../../i18n/format.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { useDialogParam } from '../../../ui/address/use-dialog-param.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

/** Backups that the panel made automatically. */
export function AutomaticBackups() {
  const { t } = useTranslation(['settings', 'words']);
  const backups = useRead(listAutomaticBackups, {}, [...keys.settings, 'backups']);
  const dialog = useDialogParam('restore');
  return (
    <TitledCard title={t('backup.automatic')}>
      <QueryView query={backups} empty={<EmptyState text={t('backup.none')} />}>
        {(rows) => (
          <CardTable
            minWidth={440}
            columns={[t('backup.taken'), t('backup.reason'), t('words:size')]}
            actions={t('words:actions')}
          >
            {rows.map((backup) => (
              <BackupRow key={backup.name} backup={backup} onRestore={dialog.open} />
            ))}
          </CardTable>
        )}
      </QueryView>
      {dialog.value !== null && <RestoreDialog name={dialog.value} onClose={dialog.close} />}
    </TitledCard>
  );
}

function BackupRow({ backup, onRestore }: { backup: AutomaticBackup; onRestore: (name: string) => void }) {
  const { t } = useTranslation(['settings', 'certificates', 'words']);
  const format = useFormat();
  const transport = useTransport();
  const { name, takenAt, reason, size } = backup;
  const reasonOf = (why: string): string => {
    if (why === 'certificates') return t('certificates:keys.why');
    return isKnownReason(why) ? t(`backup.why.${why}`) : why;
  };
  const path = downloadAutomaticBackup.path.replace(':name', encodeURIComponent(name));
  return (
    <Table.Tr>
      <Table.Th scope="row">{format.dateTime(takenAt)}</Table.Th>
      <Table.Td data-label={t('backup.reason')}>
        <bdi>{reasonOf(reason)}</bdi>
      </Table.Td>
      <Table.Td data-label={t('words:size')}>{format.bytes(size)}</Table.Td>
      <Table.Td>
        <Group justify="flex-end" gap="xs" wrap="nowrap">
          <ActionIcon
            component="a"
            href={transport.fileUrl(path)}
            download
            variant="subtle"
            color="gray"
            size={36}
            aria-label={t('backup.downloadNamed', { name })}
          >
            <IconDownload size={18} />
          </ActionIcon>
          <Button
            size="xs"
            variant="default"
            aria-label={t('backup.restoreNamed', { name })}
            onClick={() => onRestore(name)}
          >
            {t('backup.restore')}
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

const REASONS = ['migration', 'stop', 'daily', 'import', 'manual', 'fleet'] as const;

/** A newer panel may have left backups for reasons unknown to this one. */
function isKnownReason(reason: string): reason is (typeof REASONS)[number] {
  return (REASONS as readonly string[]).includes(reason);
}
