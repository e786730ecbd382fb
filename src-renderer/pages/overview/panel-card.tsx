import { Anchor, Group, Paper, Title } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../i18n/format.ts';
import { Hint } from '../../ui/layout/hint.tsx';

/** Pages linked from the card. */
const WAYS = {
  logs: '/panel/logs',
  backup: '/panel/settings/backup',
  geo: '/panel/core/state',
  update: '/panel/about',
} as const;

/** This panel's name, its machine's uptime, and links. */
export const PanelCard = memo(function PanelCard({ version, uptimeMin }: { version: string; uptimeMin: number }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="panel-card">
      <Group justify="space-between" gap="md">
        <div>
          <Title order={2} size="h5" id="panel-card">
            {t('panel.title')}
          </Title>
          <Hint>{t('panel.facts', { version, uptime: format.duration(uptimeMin * 60) })}</Hint>
        </div>
        <Group component="nav" gap="md" aria-label={t('panel.ways')}>
          {(Object.keys(WAYS) as (keyof typeof WAYS)[]).map((way) => (
            <Anchor key={way} component={Link} to={WAYS[way]} fz="sm">
              {t(`panel.${way}`)}
            </Anchor>
          ))}
        </Group>
      </Group>
    </Paper>
  );
});
