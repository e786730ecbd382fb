import { Group, Paper, SegmentedControl, Text, Title, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import {
  memo,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import { useShallow } from 'zustand/react/shallow';
import 'uplot/dist/uPlot.min.css';
import { useFormat, type Format } from '../../i18n/format.ts';
import { useLiveStatus } from '../../stores/live-status.ts';
import { chartData, LOWEST_TOP, SPANS, type ChartData, type Span } from './chart-data.ts';
import { nextIndex } from './crosshair.ts';
import { useDrawnPoints } from './drawn-points.ts';
import classes from './overview.module.css';

const HEIGHT = 220;

/** Bytes per second, live or over the last hours; pointer and arrow keys read any moment of it. */
export const ThroughputChart = memo(function ThroughputChart() {
  const [span, setSpan] = useState<Span>('live');
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="throughput">
      <Controls span={span} onChange={setSpan} />
      <Drawing key={span} span={span}>
        <Legend span={span} />
      </Drawing>
    </Paper>
  );
});

/** The drawing, which follows what moves its line, and its words. Plain elements, which cost next to nothing to draw again. */
function Drawing({ span, children }: { span: Span; children: ReactNode }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const [looked, lookAt] = useState<number | null>(null);
  const points = useDrawnPoints();
  const data = useMemo(() => chartData(points, span), [points, span]);
  const { ref, width } = useElementSize();
  const plot = usePlot({ data, span, width, onLook: lookAt });
  const [times, ups, downs] = data;
  const shown = looked !== null && times[looked] !== undefined ? looked : null;
  const at = shown ?? times.length - 1;
  const atWords =
    times[at] === undefined
      ? ''
      : t('chart.at', {
          time: format.clock(times[at] * 1000),
          up: rateOf(ups[at], format),
          down: rateOf(downs[at], format),
        });
  const handleKey = (event: KeyboardEvent): void => {
    const next = nextIndex(event.key, looked, times.length);
    if (next === undefined) return;
    event.preventDefault();
    plot.pointAt(next);
    lookAt(next);
  };
  return (
    <>
      <div className={classes['reading']}>
        <p className={classes['words']}>
          {shown === null ? <Summary peak={Math.max(0, ...ups.map(Number), ...downs.map(Number))} /> : atWords}
        </p>
        {children}
      </div>
      <div ref={ref} className={classes['chart']} dir="ltr">
        <div
          ref={plot.host}
          className={classes['plot']}
          role="slider"
          tabIndex={0}
          aria-label={t('chart.crosshair')}
          aria-orientation="horizontal"
          aria-valuemin={0}
          aria-valuemax={Math.max(0, times.length - 1)}
          aria-valuenow={Math.max(0, at)}
          aria-valuetext={atWords}
          onKeyDown={handleKey}
          onBlur={() => plot.pointAt(null)}
        />
      </div>
    </>
  );
}

const rateOf = (value: number | null | undefined, format: Format): string =>
  typeof value === 'number' ? format.rate(value) : '—';

/** The newest reading, drawn or not, in words. @param peak highest of the drawing, in bytes per second */
function Summary({ peak }: { peak: number }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const words = useLiveStatus(
    useShallow(({ points }) => {
      const { netUp, netDown } = points.at(-1)?.values ?? {};
      return {
        up: rateOf(netUp, format),
        down: rateOf(netDown, format),
        peak: format.rate(Math.max(peak, netUp ?? 0, netDown ?? 0)),
      };
    }),
  );
  return t('chart.summary', words);
}

const Controls = memo(function Controls({ span, onChange }: { span: Span; onChange: (span: Span) => void }) {
  const { t } = useTranslation('overview');
  return (
    <Group justify="space-between">
      <Title order={2} size="h5" id="throughput">
        {t('chart.title')}
      </Title>
      <SegmentedControl
        size="xs"
        aria-label={t('chart.span')}
        value={span}
        onChange={onChange}
        data={(Object.keys(SPANS) as Span[]).map((each) => ({ value: each, label: t(`chart.spans.${each}`) }))}
      />
    </Group>
  );
});

/** What the lines are, told apart by their strokes too, and how much time a point stands for. */
const Legend = memo(function Legend({ span }: { span: Span }) {
  const { t } = useTranslation('overview');
  return (
    <Group gap="md">
      {(['up', 'down'] as const).map((series) => (
        <Text key={series} size="xs">
          <span className={classes['key']} data-series={series} aria-hidden />
          {t(`chart.${series}`)}
        </Text>
      ))}
      <Text size="xs" c="dimmed">
        {t(`chart.bucket.${span}`)}
      </Text>
    </Group>
  );
});

interface PlotInput {
  data: ChartData;
  span: Span;
  /** Pixels; 0 = not known yet. */
  width: number;
  /** Told which column the crosshair stands at; null = it left. */
  onLook: (index: number | null) => void;
}

/** The drawing itself. @returns where it hangs, and a way to put its crosshair at a column */
function usePlot({ data, span, width, onLook }: PlotInput) {
  const format = useFormat();
  const theme = useMantineTheme();
  const scheme = useComputedColorScheme('light');
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const dataNow = useEffectEvent(() => data);
  const handleLook = useEffectEvent((index: number | null) => onLook(index));
  useEffect(() => {
    const target = host.current;
    if (target === null || width === 0) return undefined;
    const [ink, line] =
      scheme === 'dark' ? [theme.colors.dark[1], theme.colors.dark[4]] : [theme.colors.gray[7], theme.colors.gray[3]];
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false } };
    const { windowSec } = SPANS[span];
    const series = (stroke: string, dash: number[]): uPlot.Series => ({
      stroke,
      dash,
      width: 2,
      points: { show: false },
      spanGaps: false,
    });
    const chart = new uPlot(
      {
        width,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        hooks: { setCursor: [({ cursor }) => handleLook(cursor.idx ?? null)] },
        scales: {
          // The window stands still while few readings fill it.
          x: { range: (_, __, last) => [(last || Date.now() / 1000) - windowSec, last || Date.now() / 1000] },
          y: { range: (_, __, max) => [0, Math.max(max, LOWEST_TOP)] },
        },
        axes: [
          { ...axis, space: 110, size: 30, values: (_, ticks) => ticks.map((at) => format.clock(at * 1000)) },
          { ...axis, size: 80, values: (_, ticks) => ticks.map((value) => format.rate(value)) },
        ],
        series: [{}, series(theme.colors.orange[6], [6, 4]), series(theme.colors.indigo[5], [])],
      },
      dataNow(),
      target,
    );
    plot.current = chart;
    return () => {
      plot.current = null;
      chart.destroy();
    };
  }, [width, scheme, theme, format, span]);
  // Before this reading is painted: later it would be painted twice.
  useLayoutEffect(() => plot.current?.setData(data), [data]);
  return {
    host,
    pointAt(index: number | null): void {
      const chart = plot.current;
      if (chart === null) return;
      const atSec = index === null ? undefined : chart.data[0][index];
      const left = atSec === undefined ? -10 : chart.valToPos(atSec, 'x');
      chart.setCursor({ left, top: atSec === undefined ? -10 : HEIGHT / 2 });
    },
  };
}
