import { Group, SegmentedControl, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NODE_METRICS, nodeHistory } from '#contract/nodes/probes';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { columnsOf } from './history-data.ts';
import { HistoryPlot } from './history-plot.tsx';

/** Seconds per point; sixty points are shown. */
const SPANS = { half: 30, hour: 60, hours: 300 } as const;
type Span = keyof typeof SPANS;
const LOOK_AGAIN_MS = 15_000;
const PERCENT_TICKS = [0, 25, 50, 75, 100];

/** Processor, memory and traffic of a node over the last minutes or hours. */
export function NodeHistory({ id }: { id: number }) {
  const { t } = useTranslation(['nodes', 'words']);
  const format = useFormat();
  const call = useCall();
  const [span, setSpan] = useState<Span>('half');
  const bucket = SPANS[span];
  const histories = useQuery({
    queryKey: [...keys.nodes, 'history', id, bucket],
    queryFn: ({ signal }) =>
      Promise.all(
        NODE_METRICS.map((metric) =>
          call(nodeHistory, { params: { id: String(id), metric, bucket: String(bucket) } }, signal),
        ),
      ),
    refetchInterval: LOOK_AGAIN_MS,
  });
  return (
    <Stack gap="sm" component="section">
      <Group justify="space-between">
        <Title order={3} size="h5">
          {t('words:history')}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={t('history.span')}
          value={span}
          onChange={setSpan}
          data={(Object.keys(SPANS) as Span[]).map((each) => ({ value: each, label: t(`history.spans.${each}`) }))}
        />
      </Group>
      <QueryView query={histories}>
        {([cpu = [], memory = [], up = [], down = []]) => (
          <>
            <HistoryPlot
              title={t('history.machine')}
              names={[t('history.cpu'), t('history.memory')]}
              data={columnsOf([cpu, memory], bucket)}
              windowSec={bucket * 60}
              ticks={PERCENT_TICKS}
              valueText={format.percent}
            />
            <HistoryPlot
              title={t('words:network')}
              names={[t('history.up'), t('history.down')]}
              data={columnsOf([up, down], bucket)}
              windowSec={bucket * 60}
              valueText={format.rate}
            />
          </>
        )}
      </QueryView>
    </Stack>
  );
}
