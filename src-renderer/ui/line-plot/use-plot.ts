import { useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useFormat } from '../../i18n/format.ts';
import { DIRECTIONS, type Tone } from '../palette/tones.ts';

/** Seconds since the epoch, then the values of each line; null breaks a line. */
export type PlotColumns = [times: number[], ...values: (number | null)[][]];

export interface PlotInput {
  data: PlotColumns;
  /** Pixels; a width of 0 = unknown. */
  width: number;
  height: number;
  /** Does not scroll while few values fill it. */
  windowSec: number;
  /** Ticks of the scale for the highest value shown, from 0 up; the last is its upper end. */
  ticksOf: (highest: number) => readonly number[];
  valueText: (value: number) => string;
  /** Whether a moment between two gaps is drawn as a dot: a line needs two points. */
  hasDots?: boolean;
  /** Called with the crosshair's column; null = it left. */
  onLook: (index: number | null) => void;
  /** Called when the lines are drawn. */
  onDrawn?: () => void;
}

interface Plot {
  /** Container of the drawing. */
  host: RefObject<HTMLDivElement | null>;
  /** Puts the crosshair at a column; null hides it. */
  pointAt: (index: number | null) => void;
}

export function usePlot({
  data,
  width,
  height,
  windowSec,
  ticksOf,
  valueText,
  hasDots = false,
  onLook,
  onDrawn,
}: PlotInput): Plot {
  const format = useFormat();
  const theme = useMantineTheme();
  const scheme = useComputedColorScheme('light');
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const dataNow = useEffectEvent(() => data);
  const textOf = useEffectEvent(valueText);
  const ticksNow = useEffectEvent((highest: number) => [...ticksOf(highest)]);
  const handleLook = useEffectEvent(onLook);
  const handleDrawn = useEffectEvent(() => onDrawn?.());
  useEffect(() => {
    const target = host.current;
    if (target === null || width === 0) return undefined;
    const [ink, line] =
      scheme === 'dark' ? [theme.colors.dark[1], theme.colors.dark[4]] : [theme.colors.gray[7], theme.colors.gray[3]];
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false } };
    const series = { width: 2, points: hasDots ? { size: 4 } : { show: false }, spanGaps: false };
    const chart = new uPlot(
      {
        width,
        height,
        // Half of a time label lies beyond the last tick.
        padding: [null, 32, null, null],
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        hooks: { setCursor: [({ cursor }) => handleLook(cursor.idx ?? null)] },
        scales: {
          x: { range: (_, __, last) => [(last || Date.now() / 1000) - windowSec, last || Date.now() / 1000] },
          y: { range: (_, __, max) => [0, ticksNow(max).at(-1) ?? max] },
        },
        axes: [
          { ...axis, space: 110, size: 30, values: (_, ticks) => ticks.map((at) => format.clock(at * 1000)) },
          {
            ...axis,
            size: 80,
            splits: (_, __, ___, max) => ticksNow(max),
            values: (_, ticks) => ticks.map((value) => textOf(value)),
          },
        ],
        series: [
          {},
          { ...series, stroke: colourOf(target, DIRECTIONS.up), dash: [6, 4] },
          { ...series, stroke: colourOf(target, DIRECTIONS.down) },
        ],
      },
      dataNow(),
      target,
    );
    plot.current = chart;
    handleDrawn();
    return () => {
      plot.current = null;
      chart.destroy();
    };
  }, [width, height, scheme, theme, format, windowSec, hasDots]);
  // Before these values are painted: later they would be painted twice.
  useLayoutEffect(() => plot.current?.setData(data), [data]);
  return {
    host,
    pointAt(index) {
      const chart = plot.current;
      if (chart === null) return;
      const atSec = index === null ? undefined : chart.data[0][index];
      const left = atSec === undefined ? -10 : chart.valToPos(atSec, 'x');
      chart.setCursor({ left, top: atSec === undefined ? -10 : height / 2 });
    },
  };
}

/** The colour of a tone there: a canvas takes colours, not CSS variables. */
function colourOf(place: HTMLElement, tone: Tone): string {
  const probe = document.createElement('i');
  probe.dataset['tone'] = tone;
  probe.style.color = 'var(--tone)';
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
