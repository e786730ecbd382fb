import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconPlayerStop } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { restartCoreService, stopCoreService, type ServerStatus } from '#contract/server';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { useFormat } from '../../i18n/format.ts';
import { announceFailure } from '../../ui/announce.ts';
import { confirmDeed } from '../../ui/confirm.tsx';
import classes from './overview.module.css';

const ICONS = { running: IconCircleCheck, stop: IconPlayerStop, error: IconCircleX };

/** State of the core with what can be done about it. A core that does not run is the loudest thing on the page. */
export function CoreCard({ core, uptime }: { core: ServerStatus['core']; uptime: number }) {
  const { t } = useTranslation(['overview', 'shell']);
  const format = useFormat();
  const restart = useChange(restartCoreService, [keys.status]);
  const stop = useChange(stopCoreService, [keys.status]);
  const isRunning = core.state === 'running';
  const Icon = ICONS[core.state];
  const handleRestart = (): void => restart.mutate({}, { onError: announceFailure });
  const handleStop = async (): Promise<void> => {
    const isSure = await confirmDeed({
      title: t('core.stopTitle'),
      text: t('core.stopText'),
      deed: t('core.stopIt'),
      cancel: t('shell:cancel'),
    });
    if (isSure) stop.mutate({}, { onError: announceFailure });
  };
  return (
    <Paper withBorder p="md" className={classes['core'] ?? ''} data-state={core.state}>
      <Group justify="space-between">
        <Group wrap="nowrap">
          <Icon size={32} aria-hidden />
          <Stack gap={0}>
            <Title order={2} size="h4">
              {t(`core.${core.state}`)}
            </Title>
            <Text size="sm">{t('core.version', { version: core.version, uptime: format.duration(uptime) })}</Text>
          </Stack>
        </Group>
        <Group gap="xs">
          <Button variant="default" loading={restart.isPending} onClick={handleRestart}>
            {isRunning ? t('core.restart') : t('core.start')}
          </Button>
          {isRunning && (
            <Button variant="default" loading={stop.isPending} onClick={() => void handleStop()}>
              {t('core.stopIt')}
            </Button>
          )}
        </Group>
      </Group>
      {core.errorMsg !== '' && (
        <pre className={classes['error']} dir="ltr" tabIndex={0}>
          {core.errorMsg}
        </pre>
      )}
    </Paper>
  );
}
