import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { getStatus, restartCoreService } from '#contract/server';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { useChange } from '../../api/use-change.ts';
import { announceFailure } from '../../ui/notices/announce.ts';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { Versions } from '../core/state/versions.tsx';

/** Whether the core is installed and runs; installs another version. */
export function CoreStep() {
  const { t } = useTranslation('firstRun');
  const status = useRead(getStatus, {}, keys.status);
  const start = useChange(restartCoreService, [keys.status]);
  return (
    <QueryView query={status}>
      {({ core }) => (
        <Stack>
          {core.state === 'running' ? (
            <Alert color="teal">{t('core.running', { version: core.version })}</Alert>
          ) : (
            <Alert color="yellow">
              <Stack align="flex-start" gap="xs">
                <Text size="sm">{t('core.stopped')}</Text>
                {core.errorMsg !== '' && (
                  <Text size="sm">
                    <bdi>{core.errorMsg}</bdi>
                  </Text>
                )}
                <Button
                  variant="default"
                  loading={start.isPending}
                  onClick={() => start.mutate({}, { onError: announceFailure })}
                >
                  {t('core.start')}
                </Button>
              </Stack>
            </Alert>
          )}
          {core.state !== 'running' && <Versions present={core.version} />}
        </Stack>
      )}
    </QueryView>
  );
}
