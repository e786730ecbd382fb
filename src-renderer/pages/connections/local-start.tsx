import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { requireDesktop } from '../../api/desktop.ts';
import { keys } from '../../api/keys.ts';
import { CopyField } from '../../ui/copy/copy-field.tsx';
import { OwnCredentials } from '../first-run/own-credentials.tsx';
import { useServerState } from './use-server-state.ts';

const CREDENTIALS = [...keys.connections, 'firstCredentials'];

/** Waits for this computer's panel, shows the credentials it created for its owner, and continues. */
export function LocalStart() {
  const { t } = useTranslation(['desktop', 'firstRun', 'words']);
  const navigate = useNavigate();
  const cache = useQueryClient();
  const isRunning = useServerState()?.kind === 'running';
  const [isOwn, setOwn] = useState(false);
  const {
    data: made,
    isPending,
    error,
  } = useQuery({
    queryKey: CREDENTIALS,
    queryFn: () => requireDesktop().shell.takeFirstCredentials(),
    enabled: isRunning,
    // The panel hands them out once.
    staleTime: Infinity,
    gcTime: 0,
  });
  const leadTo = (path: string): void => {
    void cache.invalidateQueries({ queryKey: keys.connections, exact: true });
    void navigate(path);
  };
  if (!isRunning || isPending)
    return (
      <Group role="status">
        <Loader size="sm" />
        <Text>{t('welcome.starting')}</Text>
      </Group>
    );
  const setUp = (): void => leadTo('/panel/first-run?step=core');
  if (isOwn && made) return <OwnCredentials made={made} stale={[]} onDone={setUp} onKeep={() => setOwn(false)} />;
  return (
    <Stack>
      {error !== null && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {made && (
        <>
          <Alert color="blue" title={t('welcome.credentials')}>
            {t('welcome.credentialsText')}
          </Alert>
          <CopyField label={t('words:username')} value={made.username} />
          <CopyField label={t('words:password')} value={made.password} />
        </>
      )}
      <Group justify="flex-end">
        {made && (
          <Button variant="default" me="auto" onClick={() => setOwn(true)}>
            {t('firstRun:account.own')}
          </Button>
        )}
        <Button variant="default" onClick={() => leadTo('/panel')}>
          {t('words:openPanel')}
        </Button>
        <Button onClick={setUp}>{t('welcome.setUp')}</Button>
      </Group>
    </Stack>
  );
}
