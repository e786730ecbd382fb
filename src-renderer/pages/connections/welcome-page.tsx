import { Alert, Button, Group, Loader, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconDeviceDesktop, IconWorld } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { requireDesktop } from '../../api/desktop.ts';
import { keys } from '../../api/keys.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { DesktopFrame } from './desktop-frame.tsx';
import { useServerState } from './use-server-state.ts';

/** The first start of the application: the panel of this computer, or one elsewhere. */
export function WelcomePage() {
  const { t } = useTranslation('desktop');
  const navigate = useNavigate();
  const [isLocal, setLocal] = useState(false);
  const handleLocal = async (): Promise<void> => {
    setLocal(true);
    await requireDesktop().shell.useThisComputer();
  };
  return (
    <DesktopFrame title={t('welcome.title')} size={720}>
      {isLocal ? (
        <LocalStart />
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Way
            icon={<IconDeviceDesktop size={32} aria-hidden />}
            title={t('welcome.local')}
            text={t('welcome.localText')}
            deed={t('welcome.localDeed')}
            onChoose={() => void handleLocal()}
          />
          <Way
            icon={<IconWorld size={32} aria-hidden />}
            title={t('welcome.remote')}
            text={t('welcome.remoteText')}
            deed={t('welcome.remoteDeed')}
            onChoose={() => void navigate('/desktop/connections?add=')}
          />
        </SimpleGrid>
      )}
    </DesktopFrame>
  );
}

interface WayProps {
  icon: React.ReactNode;
  title: string;
  text: string;
  deed: string;
  onChoose: () => void;
}

function Way({ icon, title, text, deed, onChoose }: WayProps) {
  return (
    <Paper withBorder p="lg">
      <Stack h="100%" justify="space-between">
        <Stack gap="xs">
          {icon}
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm">{text}</Text>
        </Stack>
        <Button onClick={onChoose}>{deed}</Button>
      </Stack>
    </Paper>
  );
}

/** Waits for the panel, then shows what it made for its owner. */
function LocalStart() {
  const { t } = useTranslation('desktop');
  const navigate = useNavigate();
  const cache = useQueryClient();
  const state = useServerState();
  const isRunning = state?.kind === 'running';
  const credentials = useQuery({
    queryKey: [...keys.connections, 'firstCredentials'],
    queryFn: () => requireDesktop().shell.takeFirstCredentials(),
    enabled: isRunning,
    staleTime: Infinity,
    gcTime: 0,
  });
  const handleOn = (): void => {
    void cache.invalidateQueries({ queryKey: keys.connections });
    void navigate('/panel');
  };
  if (!isRunning || credentials.isPending)
    return (
      <Group role="status">
        <Loader size="sm" />
        <Text>{t('welcome.starting')}</Text>
      </Group>
    );
  return (
    <Stack>
      {credentials.data !== null && credentials.data !== undefined && (
        <>
          <Alert color="blue" title={t('welcome.credentials')}>
            {t('welcome.credentialsText')}
          </Alert>
          <CopyField label={t('welcome.username')} value={credentials.data.username} />
          <CopyField label={t('welcome.password')} value={credentials.data.password} />
        </>
      )}
      <Title order={2} size="h4">
        {t('welcome.network')}
      </Title>
      <Text size="sm">{t('welcome.networkText')}</Text>
      <Group justify="flex-end">
        <Button onClick={handleOn}>{t('welcome.continue')}</Button>
      </Group>
    </Stack>
  );
}
