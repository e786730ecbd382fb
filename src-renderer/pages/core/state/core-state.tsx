import { Alert, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { restartCoreService, stopCoreService, type ServerStatus } from '#contract/server';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import classes from '../core.module.css';
import { LastError } from './last-error.tsx';
import { PreviousRun } from './previous-run.tsx';

const ICONS = { running: IconCircleCheck, stop: IconPlayerStop, error: IconCircleX };

/** State of the core, what can be done about it, and everything that keeps it or a part of it from running. */
export function CoreState({ core, uptime }: { core: ServerStatus['core']; uptime: number }) {
  const { t } = useTranslation('core');
  const format = useFormat();
  const roots = [keys.status, [...keys.core, 'balancers'], [...keys.core, 'output']];
  const restart = useChange(restartCoreService, roots);
  const stop = useChange(stopCoreService, roots);
  const isRunning = core.state === 'running';
  const Icon = ICONS[core.state];
  const handleStop = async (): Promise<void> => {
    const isSure = await confirmAction({
      title: t('state.stopTitle'),
      text: t('state.stopText'),
      action: t('state.stopIt'),
    });
    if (isSure) stop.mutate({}, { onError: announceFailure });
  };
  return (
    <Paper withBorder p="md" className={classes['state'] ?? ''} data-state={core.state}>
      <Stack>
        <Group justify="space-between">
          <Group wrap="nowrap">
            <Icon size={32} aria-hidden />
            <Stack gap={0}>
              <Title order={2} size="h4">
                {t(`state.${core.state}`)}
              </Title>
              <Text size="sm">
                {isRunning
                  ? t('state.details', {
                      version: core.version,
                      uptime: format.duration(uptime),
                      pid: String(core.pid ?? 0),
                    })
                  : t('state.version', { version: core.version })}
              </Text>
            </Stack>
          </Group>
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={isRunning ? <IconRefresh size={16} /> : <IconPlayerPlay size={16} />}
              loading={restart.isPending}
              onClick={() => restart.mutate({}, { onError: announceFailure })}
            >
              {isRunning ? t('state.restart') : t('state.start')}
            </Button>
            {isRunning && (
              <Button
                variant="default"
                leftSection={<IconPlayerStop size={16} />}
                loading={stop.isPending}
                onClick={() => void handleStop()}
              >
                {t('state.stopIt')}
              </Button>
            )}
          </Group>
        </Group>
        {core.restarts > 0 && (
          <Text size="sm">{t('state.restarted', { count: core.restarts, at: format.dateTime(core.lastRestart) })}</Text>
        )}
        {isRunning ? <PreviousRun pid={core.pid} /> : <LastError errorMsg={core.errorMsg} />}
        {core.leftOut.length > 0 && (
          <Alert color="yellow" title={t('state.leftOut')}>
            <List size="sm">
              {core.leftOut.map(({ kind, name, reason }) => (
                <List.Item key={`${kind} ${name} ${reason}`}>
                  <bdi>
                    {kind} {name}
                  </bdi>
                  : <bdi>{reason}</bdi>
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
      </Stack>
    </Paper>
  );
}
