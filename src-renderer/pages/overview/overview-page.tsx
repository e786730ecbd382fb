import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { getStatus, type ServerStatus } from '#contract/server';
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

/** Percent of the data volume above which a write may soon fail. */
const FULL_DISK = 95;

/** Whether it runs, what it does right now, and what needs a hand. */
export function OverviewPage() {
  const { t } = useTranslation('overview');
  const call = useCall();
  const status = useQuery({ queryKey: keys.status, queryFn: ({ signal }) => call(getStatus, {}, signal) });
  useMachineHistory();
  return (
    <Page title={t('title')}>
      <QueryView query={status}>
        {(now) => <CoreCard core={now.core} uptimeMin={minutes(now.appStats.uptime)} />}
      </QueryView>
      {status.data !== undefined && <Tiles status={status.data} />}
      <Suspense fallback={null}>
        <ThroughputChart />
      </Suspense>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <ClientCounts />
        {status.data !== undefined && (
          <AttentionList core={status.data.core} web={status.data.web} isDiskFull={isNearlyFull(status.data.disk)} />
        )}
      </SimpleGrid>
      {status.data !== undefined && (
        <PanelCard version={status.data.panelVersion} uptimeMin={minutes(status.data.uptime)} />
      )}
    </Page>
  );
}

/** Cards that show minutes are not drawn at every reading. */
const minutes = (seconds: number): number => Math.floor(seconds / 60);

function isNearlyFull({ current, total }: ServerStatus['disk']): boolean {
  return total > 0 && (current / total) * 100 > FULL_DISK;
}
