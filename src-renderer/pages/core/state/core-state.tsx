import { Alert, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ServerStatus } from '#contract/server';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../core.module.css';
import { LastError } from './last-error.tsx';
import { PreviousRun } from './previous-run.tsx';
import { useCoreVerbs } from './use-core-verbs.ts';

const ICONS = { running: IconCircleCheck, stop: IconPlayerStop, error: IconCircleX };

/** State of the core, its actions, and every problem that keeps it or a part of it from running. */
export function CoreState({ core, uptime }: { core: ServerStatus['core']; uptime: number }) {
  const { t } = useTranslation(['core', 'overview']);
  const format = useFormat();
  const isRunning = core.state === 'running';
  const Icon = ICONS[core.state];
  const { restart, stop } = useCoreVerbs(isRunning);
  return (
    <Paper withBorder p="md" className={classes['state'] ?? ''} data-state={core.state}>
      <Stack>
        <Group justify="space-between">
          <Group wrap="nowrap">
            <Icon size={32} aria-hidden />
            <Stack gap={0}>
              <Title order={2} size="h4">
                {t(`overview:core.${core.state}`)}
              </Title>
              <Text size="sm">
                {isRunning
                  ? t('state.details', {
                      version: core.version,
                      uptime: format.duration(uptime),
                      pid: String(core.pid ?? 0),
                    })
                  : t('overview:core.versionOnly', { version: core.version })}
              </Text>
            </Stack>
          </Group>
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={isRunning ? <IconRefresh size={16} /> : <IconPlayerPlay size={16} />}
              loading={restart.isPending}
              onClick={restart.onClick}
            >
              {restart.label}
            </Button>
            {stop !== null && (
              <Button
                variant="default"
                leftSection={<IconPlayerStop size={16} />}
                loading={stop.isPending}
                onClick={stop.onClick}
              >
                {stop.label}
              </Button>
            )}
          </Group>
        </Group>
        {core.restarts > 0 && (
          <Text size="sm">
            {t('overview:core.restarted', { count: core.restarts, at: format.dateTime(core.lastRestart) })}
          </Text>
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
