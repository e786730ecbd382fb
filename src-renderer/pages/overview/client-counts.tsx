import { Paper, Text, Title } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { listClientsPaged } from '#contract/clients/list';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/format.ts';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { stateTone } from '../../ui/palette/tones.ts';
import classes from './overview.module.css';

/** Filters of the list, each with its count. */
const BUCKETS = [
  ['online', 'onlineCount'],
  ['exhausted', 'exhaustedCount'],
  ['expired', 'expiredCount'],
  ['expiring', 'expiringCount'],
  ['disabled', 'deactiveCount'],
] as const;

/** How many clients are in each state, with links to them. */
export const ClientCounts = memo(function ClientCounts() {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const page = useRead(listClientsPaged, { query: { pageSize: '1' } }, [...keys.clients, 'counts']);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="client-counts">
      <Title order={2} size="h5" id="client-counts">
        {t('clients.title')}
      </Title>
      <QueryView query={page}>
        {({ summary }) => (
          <div className={classes['counts']}>
            <Link to="/panel/clients" className={classes['count']}>
              <Text fw={600}>{format.number(summary.total)}</Text>
              <Text size="sm">{t('clients.total')}</Text>
            </Link>
            {BUCKETS.map(([bucket, count]) => (
              <Link key={bucket} to={`/panel/clients?status=${bucket}`} className={classes['count']}>
                <Text fw={600} className={classes['state'] ?? ''} data-tone={stateTone(bucket)}>
                  {format.number(summary[count])}
                </Text>
                <Text size="sm">{t(`clients.${bucket}`)}</Text>
              </Link>
            ))}
          </div>
        )}
      </QueryView>
    </Paper>
  );
});
