import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { getStatus } from '#contract/server';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { AttentionList } from './attention-list.tsx';
import { ClientCounts } from './client-counts.tsx';
import { CoreCard } from './core-card.tsx';
import { PanelCard } from './panel-card.tsx';
import { Tiles } from './tiles.tsx';
import { useMachineHistory } from './use-machine-history.ts';

const ThroughputChart = lazy(async () => ({ default: (await import('./throughput-chart.tsx')).ThroughputChart }));

/** Whether it runs, what it does right now, and what needs a hand. */
export function OverviewPage() {
  const { t } = useTranslation('overview');
  const call = useCall();
  const status = useQuery({ queryKey: keys.status, queryFn: ({ signal }) => call(getStatus, {}, signal) });
  useMachineHistory();
  return (
    <Page title={t('title')}>
      <QueryView query={status}>{(now) => <CoreCard core={now.core} uptime={now.appStats.uptime} />}</QueryView>
      {status.data !== undefined && <Tiles status={status.data} />}
      <Suspense fallback={null}>
        <ThroughputChart />
      </Suspense>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <ClientCounts />
        {status.data !== undefined && <AttentionList status={status.data} />}
      </SimpleGrid>
      {status.data !== undefined && <PanelCard status={status.data} />}
    </Page>
  );
}
