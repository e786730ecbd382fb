import { SimpleGrid } from '@mantine/core';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerStatus } from '#contract/server';
import { Page } from '../../ui/layout/page.tsx';
import { laterTextsLoaded } from '../../i18n/i18n.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { WhenSeen } from '../../ui/when-seen.tsx';
import { AttentionList } from './attention-list.tsx';
import { ClientCounts } from './client-counts.tsx';
import { CoreCard } from './core-card.tsx';
import { PanelCard } from './panel-card.tsx';
import { Tiles } from './tiles.tsx';
import { useMachineHistory } from './use-machine-history.ts';
import { useStatus } from './use-status.ts';

const ThroughputChart = lazy(async () => ({ default: (await import('./throughput-chart.tsx')).ThroughputChart }));

const SubjectTraffic = lazy(async () => {
  const [{ SubjectTraffic: Component }] = await Promise.all([
    import('../traffic/subject-traffic.tsx'),
    laterTextsLoaded(),
  ]);
  return { default: Component };
});
/** Room for it while it is not drawn, in CSS pixels. */
const TRAFFIC_PX = 480;

/** Percent of the data volume above which a write may soon fail. */
const FULL_DISK = 95;

/** Whether it runs, what it does right now, and what needs a hand. */
export function OverviewPage() {
  const { t } = useTranslation(['overview', 'shell']);
  const status = useStatus(slowPart);
  useMachineHistory();
  const [isDrawn, setDrawn] = useState(false);
  const handleDrawn = useCallback(() => setDrawn(true), []);
  return (
    <Page title={t('shell:nav.overview')}>
      <QueryView query={status}>{({ core, coreMin }) => <CoreCard core={core} uptimeMin={coreMin} />}</QueryView>
      {status.data !== undefined && <Tiles />}
      <Suspense fallback={null}>
        <ThroughputChart onDrawn={handleDrawn} />
      </Suspense>
      {/* What is below waits for the chart: it would seem to be in sight, and be loaded first. */}
      {isDrawn && <Below status={status.data} />}
    </Page>
  );
}

/** What stands below the chart; absent = not read yet. */
function Below({ status }: { status: ReturnType<typeof slowPart> | undefined }) {
  const { t } = useTranslation('shell');
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <ClientCounts />
        {status !== undefined && <AttentionList core={status.core} web={status.web} isDiskFull={status.isDiskFull} />}
      </SimpleGrid>
      {status !== undefined && (
        <WhenSeen heightPx={TRAFFIC_PX}>
          <SubjectTraffic subject="all" name="" title={t('nav.overview')} />
        </WhenSeen>
      )}
      {status !== undefined && <PanelCard version={status.version} uptimeMin={status.machineMin} />}
    </>
  );
}

/** What cards show of the status, uptimes in whole minutes: seldom another than at the last reading. */
function slowPart({ core, web, disk, panelVersion, appStats, uptime }: ServerStatus) {
  return {
    core,
    web,
    version: panelVersion,
    isDiskFull: isNearlyFull(disk),
    coreMin: minutes(appStats.uptime),
    machineMin: minutes(uptime),
  };
}

const minutes = (seconds: number): number => Math.floor(seconds / 60);

function isNearlyFull({ current, total }: ServerStatus['disk']): boolean {
  return total > 0 && (current / total) * 100 > FULL_DISK;
}
