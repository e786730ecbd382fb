import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ServerStatus } from '#contract/server';
import { useFormat } from '../../i18n/format.ts';

/** Pages that an operator goes on to from here. */
const WAYS = {
  logs: '/panel/logs',
  backup: '/panel/settings/backup',
  geo: '/panel/core/state',
  update: '/panel/about',
} as const;

/** Which panel this is, how long its machine has been up, and the ways on. */
export function PanelCard({ status }: { status: ServerStatus }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="panel-card">
      <Group justify="space-between" gap="md">
        <div>
          <Title order={2} size="h5" id="panel-card">
            {t('panel.title')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('panel.facts', {
              version: status.panelVersion,
              uptime: format.duration(status.uptime),
              memory: format.bytes(status.appStats.mem),
            })}
          </Text>
        </div>
        <Group component="nav" gap="md" aria-label={t('panel.ways')}>
          {(Object.keys(WAYS) as (keyof typeof WAYS)[]).map((way) => (
            <Anchor key={way} component={Link} to={WAYS[way]} size="sm">
              {t(`panel.${way}`)}
            </Anchor>
          ))}
        </Group>
      </Group>
    </Paper>
  );
}
