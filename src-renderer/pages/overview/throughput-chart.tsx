import { Group, Paper, SegmentedControl, Text, Title, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useFormat } from '../../i18n/format.ts';
import classes from './overview.module.css';
import { SPANS, useThroughput, windowSec, type Span } from './use-throughput.ts';

const HEIGHT = 220;
/** Bytes per second, live or over the last hours. */
export function ThroughputChart() {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const theme = useMantineTheme();
  const scheme = useComputedColorScheme('light');
  const [span, setSpan] = useState<Span>('live');
  const data = useThroughput(span);
  const latest = useRef(data);
  latest.current = data;
  const { ref, width } = useElementSize();
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  useEffect(() => {
    const target = host.current;
    if (target === null || width === 0) return undefined;
    const [ink, line] =
      scheme === 'dark' ? [theme.colors.dark[1], theme.colors.dark[4]] : [theme.colors.gray[7], theme.colors.gray[3]];
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false } };
    const chart = new uPlot(
      {
        width,
        height: HEIGHT,
        legend: { show: false },
        scales: {
          // The window stands still while few readings fill it.
          x: { range: (_, __, last) => [(last || Date.now() / 1000) - windowSec(span), last || Date.now() / 1000] },
          y: { range: (_, __, max) => [0, Math.max(max, 1024)] },
        },
        axes: [
          { ...axis, space: 110, values: (_, ticks) => ticks.map((at) => format.clock(at * 1000)) },
          { ...axis, size: 80, values: (_, ticks) => ticks.map((value) => format.rate(value)) },
        ],
        series: [{}, series(t('chart.up'), theme.colors.orange[6]), series(t('chart.down'), theme.colors.indigo[5])],
      },
      latest.current,
      target,
    );
    plot.current = chart;
    return () => chart.destroy();
  }, [width, scheme, theme, format, t, span]);
  useEffect(() => plot.current?.setData(data), [data]);
  const [, ups, downs] = data;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="throughput">
      <Group justify="space-between">
        <Title order={2} size="h5" id="throughput">
          {t('chart.title')}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={t('chart.span')}
          value={span}
          onChange={(next) => setSpan(next)}
          data={(Object.keys(SPANS) as Span[]).map((each) => ({ value: each, label: t(`chart.spans.${each}`) }))}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {t('chart.summary', {
          up: format.rate(ups.at(-1) ?? 0),
          down: format.rate(downs.at(-1) ?? 0),
          peak: format.rate(Math.max(0, ...ups.map(Number), ...downs.map(Number))),
        })}
      </Text>
      <div ref={ref} className={classes['chart']} dir="ltr" aria-hidden>
        <div ref={host} />
      </div>
    </Paper>
  );
}

function series(label: string, stroke: string): uPlot.Series {
  return { label, stroke, width: 2, points: { show: false } };
}
