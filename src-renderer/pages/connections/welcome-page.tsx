import { Button, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconDeviceDesktop, IconWorld } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { requireDesktop } from '../../api/desktop.ts';
import { announceFailure } from '../../ui/notices/announce.ts';
import { DesktopFrame } from './desktop-frame.tsx';
import { LocalStart } from './local-start.tsx';
import { WelcomeLook } from './welcome-look.tsx';

/** The first start of the application: use this computer's panel, or a remote one. */
export function WelcomePage() {
  const { t } = useTranslation('desktop');
  const navigate = useNavigate();
  const [search] = useSearchParams();
  // The panel of this computer was chosen elsewhere, and starts for the first time.
  const [isLocal, setLocal] = useState(search.has('start'));
  const handleLocal = async (): Promise<void> => {
    setLocal(true);
    try {
      await requireDesktop().shell.useThisComputer();
    } catch (error) {
      setLocal(false);
      announceFailure(error as Error);
    }
  };
  return (
    <DesktopFrame title={t('welcome.title')} size={720}>
      {isLocal ? (
        <LocalStart />
      ) : (
        <>
          <WelcomeLook />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Way
              icon={<IconDeviceDesktop size={32} aria-hidden />}
              title={t('welcome.local')}
              text={t('welcome.localText')}
              action={t('welcome.local')}
              onChoose={() => void handleLocal()}
            />
            <Way
              icon={<IconWorld size={32} aria-hidden />}
              title={t('welcome.remote')}
              text={t('welcome.remoteText')}
              action={t('welcome.remote')}
              onChoose={() => void navigate('/desktop/connections?add=')}
            />
          </SimpleGrid>
        </>
      )}
    </DesktopFrame>
  );
}

interface WayProps {
  icon: React.ReactNode;
  title: string;
  text: string;
  action: string;
  onChoose: () => void;
}

function Way({ icon, title, text, action, onChoose }: WayProps) {
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
        <Button onClick={onChoose}>{action}</Button>
      </Stack>
    </Paper>
  );
}
