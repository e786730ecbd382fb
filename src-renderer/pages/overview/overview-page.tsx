import { SimpleGrid } from '@mantine/core';
import { Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerStatus } from '#contract/server';
import { Page } from '../../ui/layout/page.tsx';
import { laterTextsLoaded } from '../../i18n/i18n.ts';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { WhenSeen } from '../../ui/when-seen.tsx';
import { AttentionList } from './attention-list.tsx';
import { ClientCounts } from './client-counts.tsx';
import { CoreCard } from './core-card.tsx';
import { PanelCard } from './panel-card.tsx';
import { Tiles } from './tiles.tsx';
import { useMachineHistory } from './use-machine-history.ts';
import { useStatus } from './use-status.ts';
import { later } from '../../ui/notices/later.tsx';

const ThroughputChart = later(async () => (await import('./throughput-chart.tsx')).ThroughputChart);

const SubjectTraffic = later(async () => {
  const [{ SubjectTraffic: Component }] = await Promise.all([
    import('../traffic/subject-traffic.tsx'),
    laterTextsLoaded(),
  ]);
  return Component;
});
/** Space reserved for it before it is drawn, in CSS pixels. */
const TRAFFIC_PX = 480;

/** Disk usage in percent above which a write may soon fail. */
const FULL_DISK = 95;

/** State of the panel, its present figures, and what needs the operator. */
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
      {/* The rest waits for the chart: it would briefly be in view, and be loaded first. */}
      {isDrawn && <Below status={status.data} />}
    </Page>
  );
}

/** The content below the chart; absent = not read yet. */
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

/** The part of the status that cards show, with uptimes in whole minutes, so that it seldom changes. */
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
