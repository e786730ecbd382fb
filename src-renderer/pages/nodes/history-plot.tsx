import { Group, Text, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useFormat } from '../../i18n/format.ts';
import { nextIndex } from '../overview/crosshair.ts';
import type { HistoryColumns } from './history-data.ts';
import classes from './nodes.module.css';

const HEIGHT = 160;

interface HistoryPlotProps {
  title: string;
  /** One name per line. */
  names: readonly [string, string];
  data: HistoryColumns;
  windowSec: number;
  /** Upper end of the scale; absent = the highest shown. */
  top?: number;
  valueText: (value: number) => string;
}

/** Two lines over time, which the pointer and the arrow keys read; its words are what is read of it. */
export function HistoryPlot({ title, names, data, windowSec, top, valueText }: HistoryPlotProps) {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  const [looked, lookAt] = useState<number | null>(null);
  const { ref, width } = useElementSize();
  const plot = usePlot({ data, windowSec, top, width, valueText, onLook: lookAt });
  const [times, ...values] = data;
  const at = looked !== null && times[looked] !== undefined ? looked : times.length - 1;
  const shown = (line: number): string => {
    const value = values[line]?.[at];
    return typeof value === 'number' ? valueText(value) : '—';
  };
  const words =
    times.length === 0
      ? t('history.nothing')
      : t('history.at', {
          time: format.clock(times[at]! * 1000),
          first: `${names[0]} ${shown(0)}`,
          second: `${names[1]} ${shown(1)}`,
        });
  const handleKey = (event: KeyboardEvent): void => {
    const next = nextIndex(event.key, looked, times.length);
    if (next === undefined) return;
    event.preventDefault();
    plot.pointAt(next);
    lookAt(next);
  };
  return (
    <div>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Group gap="md">
          {names.map((name, line) => (
            <Text key={name} size="xs">
              <span className={classes['key']} data-series={line} aria-hidden />
              {name}
            </Text>
          ))}
        </Group>
      </Group>
      <Text size="sm" c="dimmed">
        {words}
      </Text>
      <div ref={ref} className={classes['plot']} dir="ltr">
        <div
          ref={plot.host}
          role="slider"
          tabIndex={0}
          aria-label={t('history.crosshair', { title })}
          aria-orientation="horizontal"
          aria-valuemin={0}
          aria-valuemax={Math.max(0, times.length - 1)}
          aria-valuenow={Math.max(0, at)}
          aria-valuetext={words}
          // Escape takes the crosshair away first, then closes the drawer around it.
          data-mantine-stop-propagation={looked !== null}
          onKeyDown={handleKey}
          onBlur={() => plot.pointAt(null)}
        />
      </div>
    </div>
  );
}

interface PlotInput extends Pick<HistoryPlotProps, 'data' | 'windowSec' | 'valueText'> {
  top: number | undefined;
  /** Pixels; 0 = not known yet. */
  width: number;
  onLook: (index: number | null) => void;
}

/** The drawing. @returns where it hangs, and a way to put its crosshair at a column */
function usePlot({ data, windowSec, top, width, valueText, onLook }: PlotInput) {
  const format = useFormat();
  const theme = useMantineTheme();
  const scheme = useComputedColorScheme('light');
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const dataNow = useEffectEvent(() => data);
  const textOf = useEffectEvent(valueText);
  const handleLook = useEffectEvent(onLook);
  useEffect(() => {
    const target = host.current;
    if (target === null || width === 0) return undefined;
    const [ink, line] =
      scheme === 'dark' ? [theme.colors.dark[1], theme.colors.dark[4]] : [theme.colors.gray[7], theme.colors.gray[3]];
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false } };
    // A moment between two gaps is a dot: a line needs two of them.
    const series = { width: 2, points: { size: 4 }, spanGaps: false };
    const chart = new uPlot(
      {
        width,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        hooks: { setCursor: [({ cursor }) => handleLook(cursor.idx ?? null)] },
        scales: {
          x: { range: (_, __, last) => [(last || Date.now() / 1000) - windowSec, last || Date.now() / 1000] },
          y: { range: (_, __, max) => [0, top ?? Math.max(max, 1024)] },
        },
        axes: [
          { ...axis, space: 90, size: 28, values: (_, ticks) => ticks.map((at) => format.clock(at * 1000)) },
          { ...axis, size: 80, values: (_, ticks) => ticks.map((value) => textOf(value)) },
        ],
        series: [
          {},
          { ...series, stroke: theme.colors.orange[6], dash: [6, 4] },
          { ...series, stroke: theme.colors.indigo[5] },
        ],
      },
      dataNow(),
      target,
    );
    plot.current = chart;
    return () => {
      plot.current = null;
      chart.destroy();
    };
  }, [width, scheme, theme, format, windowSec, top]);
  useEffect(() => plot.current?.setData(data), [data]);
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
