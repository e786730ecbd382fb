import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UpdateDownload as Download } from '../../../src-main/bridge/contract.ts';
import { requireDesktop } from '../../api/desktop.ts';
import { useFormat } from '../../i18n/format.ts';
import { announceFailure } from '../../ui/notices/announce.ts';

/** How far a new version of the application is downloaded, with a way to stop it; nothing while there is none. */
export function UpdateDownload() {
  const { t } = useTranslation(['desktop', 'shell']);
  const format = useFormat();
  const [download, setDownload] = useState<Download | null>(null);
  useEffect(() => {
    const { shell } = requireDesktop();
    const end = shell.onUpdateDownload(setDownload);
    void shell.updateDownload().then(setDownload);
    return end;
  }, []);
  if (download === null) return null;
  const { version, receivedBytes, totalBytes } = download;
  const percent = totalBytes === 0 ? 0 : (receivedBytes / totalBytes) * 100;
  const title = t('choices.downloading', { version });
  return (
    <Stack gap={4} maw={360}>
      <Group justify="space-between">
        <Text size="sm">{title}</Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => void requireDesktop().shell.cancelUpdate().catch(announceFailure)}
        >
          {t('shell:cancel')}
        </Button>
      </Group>
      <Progress value={percent} aria-label={title} />
      {totalBytes > 0 && (
        <Text size="xs">
          {t('choices.downloaded', {
            percent: format.percent(percent),
            done: format.bytes(receivedBytes),
            total: format.bytes(totalBytes),
          })}
        </Text>
      )}
    </Stack>
  );
}
