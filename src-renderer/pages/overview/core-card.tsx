import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconPlayerStop } from '@tabler/icons-react';
import { memo, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ServerStatus } from '#contract/server';
import { useFormat } from '../../i18n/format.ts';
import { coreTone } from '../../ui/palette/tones.ts';
import { useCoreVerbs } from '../core/state/use-core-verbs.ts';
import classes from './overview.module.css';
import { later } from '../../ui/notices/later.tsx';

// Needed only when the core does not run.
const LastError = later(async () => (await import('../core/state/last-error.tsx')).LastError);
const ICONS = { running: IconCircleCheck, stop: IconPlayerStop, error: IconCircleX };

interface CoreCardProps {
  core: ServerStatus['core'];
  /** Whole minutes: with seconds the card would render again at every reading. */
  uptimeMin: number;
}

/** State of the core and its actions. A core that does not run is the most prominent thing on the page. */
export const CoreCard = memo(function CoreCard({ core, uptimeMin }: CoreCardProps) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const isRunning = core.state === 'running';
  const Icon = ICONS[core.state];
  const { restart, stop } = useCoreVerbs(isRunning);
  return (
    <Paper withBorder p="md" className={classes['core'] ?? ''} data-state={core.state} data-tone={coreTone(core.state)}>
      <Group justify="space-between">
        <Group wrap="nowrap">
          <Icon size={32} aria-hidden />
          <Stack gap={0}>
            <Title order={2} size="h4">
              {t(`core.${core.state}`)}
            </Title>
            <Text size="sm">
              {isRunning
                ? t('core.version', { version: core.version, uptime: format.duration(uptimeMin * 60) })
                : t('core.versionOnly', { version: core.version })}
            </Text>
          </Stack>
        </Group>
        <Group gap="xs">
          <Button variant="default" loading={restart.isPending} onClick={restart.onClick}>
            {restart.label}
          </Button>
          {stop !== null && (
            <Button variant="default" loading={stop.isPending} onClick={stop.onClick}>
              {stop.label}
            </Button>
          )}
        </Group>
      </Group>
      {core.restarts > 0 && (
        <Text size="sm" mt="xs">
          {t('core.restarted', { count: core.restarts, at: format.dateTime(core.lastRestart) })}{' '}
          <Anchor component={Link} to="/panel/core/state" fz="sm">
            {t('core.previousRun')}
          </Anchor>
        </Text>
      )}
      {!isRunning && (
        <Stack gap="xs" mt="sm">
          <Suspense fallback={null}>
            <LastError errorMsg={core.errorMsg} />
          </Suspense>
          <Group gap="md">
            <Anchor component={Link} to="/panel/core/state" fz="sm">
              {t('core.open')}
            </Anchor>
            <Anchor component={Link} to="/panel/logs?source=core" fz="sm">
              {t('core.logs')}
            </Anchor>
          </Group>
        </Stack>
      )}
    </Paper>
  );
});
