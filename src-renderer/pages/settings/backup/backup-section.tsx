import { Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { getDb, getMigration } from '#contract/backup';
import { useTransport } from '../../../api/transport-context.tsx';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { AutomaticBackups } from './automatic-backups.tsx';
import { BackupWithKeys } from './backup-with-keys.tsx';
import { ImportDatabase } from './import-database.tsx';
import { LastImport } from './last-import.tsx';

/** Backup and restore of the panel's data. */
export function BackupSection() {
  const { t } = useTranslation('settings');
  const transport = useTransport();
  return (
    <>
      <LastImport />
      <TitledCard title={t('backup.now')}>
        <Text size="sm">{t('backup.nowText')}</Text>
        <Group>
          <Button
            component="a"
            href={transport.fileUrl(getDb.path)}
            download
            leftSection={<IconDownload size={18} aria-hidden />}
          >
            {t('backup.asDatabase')}
          </Button>
          <Button component="a" href={transport.fileUrl(getMigration.path)} download variant="default">
            {t('backup.asText')}
          </Button>
        </Group>
      </TitledCard>
      <BackupWithKeys />
      <AutomaticBackups />
      <ImportDatabase />
    </>
  );
}
