import { Alert, Button, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { requireDesktop } from '../../api/desktop.ts';
import { announceFailure } from '../../ui/notices/announce.ts';
import { DesktopFrame } from './desktop-frame.tsx';
import { RestoreBackup } from './restore-backup.tsx';
import { useServerState } from './use-server-state.ts';

/** This computer's panel crashed repeatedly: its last output, and what to do. */
export function StoppedPage() {
  const { t } = useTranslation(['desktop', 'words']);
  const navigate = useNavigate();
  const state = useServerState();
  const isRunning = state?.kind === 'running';
  useEffect(() => {
    if (isRunning) void navigate('/panel');
  }, [isRunning, navigate]);
  const { server } = requireDesktop();
  const isStarting = state?.kind === 'starting' || state?.kind === 'backingOff';
  return (
    <DesktopFrame title={t('stopped.title')} size={860}>
      <Stack>
        <Alert color="red" role="alert">
          {state?.why === 'refused' ? t('stopped.refused') : t('stopped.crashLoop')}
        </Alert>
        <Text fw={600} id="last-lines">
          {t('stopped.lines')}
        </Text>
        <Code block dir="ltr" mah={320} aria-labelledby="last-lines" tabIndex={0} style={{ overflow: 'auto' }}>
          {(state?.lines ?? []).join('\n')}
        </Code>
        <Group>
          <Button
            onClick={() => void server.retry().catch(announceFailure)}
            leftSection={isStarting ? <Loader size="xs" /> : undefined}
          >
            {t('stopped.retry')}
          </Button>
          <Button variant="default" onClick={() => void server.openDataFolder().catch(announceFailure)}>
            {t('stopped.folder')}
          </Button>
          <Button variant="default" onClick={() => void navigate('/desktop/connections')}>
            {t('words:managePanels')}
          </Button>
        </Group>
        <RestoreBackup />
      </Stack>
    </DesktopFrame>
  );
}
