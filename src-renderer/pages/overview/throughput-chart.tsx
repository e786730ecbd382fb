import { Paper, Text, Title, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useFormat } from '../../i18n/format.ts';
import { useLiveStatus, type Reading } from '../../stores/live-status.ts';
import classes from './overview.module.css';

const HEIGHT = 220;
/** Readings further apart than this are a gap, not a line. Seconds. */
const GAP_SEC = 10;

/** Bytes per second of the last ten minutes. */
export function ThroughputChart() {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const theme = useMantineTheme();
  const scheme = useComputedColorScheme('light');
  const readings = useLiveStatus((state) => state.readings);
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
        scales: { y: { range: (_, __, max) => [0, Math.max(max, 1024)] } },
        axes: [
          { ...axis, space: 110, values: (_, ticks) => ticks.map((at) => format.clock(at * 1000)) },
          { ...axis, size: 80, values: (_, ticks) => ticks.map((value) => format.rate(value)) },
        ],
        series: [{}, series(t('chart.up'), theme.colors.orange[6]), series(t('chart.down'), theme.colors.indigo[5])],
      },
      toData(useLiveStatus.getState().readings),
      target,
    );
    plot.current = chart;
    return () => chart.destroy();
  }, [width, scheme, theme, format, t]);
  useEffect(() => plot.current?.setData(toData(readings)), [readings]);
  const now = readings.at(-1);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="throughput">
      <Title order={2} size="h5" id="throughput">
        {t('chart.title')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('chart.summary', {
          up: format.rate(now?.up ?? 0),
          down: format.rate(now?.down ?? 0),
          peak: format.rate(Math.max(0, ...readings.flatMap(({ up, down }) => [up, down]))),
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

/** uPlot's columns; a missing stretch gets an empty point, so that it shows as a gap. */
function toData(readings: readonly Reading[]): uPlot.AlignedData {
  const times: number[] = [];
  const up: (number | null)[] = [];
  const down: (number | null)[] = [];
  for (const reading of readings) {
    const at = reading.at / 1000;
    const before = times.at(-1);
    if (before !== undefined && at - before > GAP_SEC) {
      times.push(before + 1);
      up.push(null);
      down.push(null);
    }
    times.push(at);
    up.push(reading.up);
    down.push(reading.down);
  }
  return [times, up, down];
}
