import { useElementSize } from '@mantine/hooks';
import { useState, type KeyboardEvent, type MouseEvent, type Ref } from 'react';
import { nextIndex } from '../line-plot/crosshair.ts';
import type { Tone } from '../palette/tones.ts';
import { byteTicks } from '../byte-ticks.ts';
import { labelEvery } from './bar-scale.ts';
import classes from './stacked-bars.module.css';
import { OWN_ESCAPE } from '../dialogs.ts';

/** Space for the labels of the axes, in CSS pixels. */
const SCALE_PX = 68;
const LABELS_PX = 20;
const TOP_PX = 6;

export interface BarPart {
  key: string;
  tone: Tone;
  /** Bytes of each bar. */
  values: readonly number[];
}

interface StackedBarsProps {
  /** Description of the chart, for screen readers. */
  label: string;
  parts: readonly BarPart[];
  /** Labels below the bars. */
  labels: readonly string[];
  /** The longest of them, in CSS pixels. */
  labelPx: number;
  /** First bar in the future; absent = all are past. */
  futureFrom?: number;
  height: number;
  valueText: (bytes: number) => string;
  /** Text for a bar. */
  wordsOf: (at: number) => string;
  /** Called with the bar that is pointed at; null = none. */
  onLook: (at: number | null) => void;
  /** Opens a bar; absent = bars do not open. */
  onOpen?: ((at: number) => void) | undefined;
  /** The drawing itself, for the exported picture. */
  svg?: Ref<SVGSVGElement>;
}

/** Stacked bars of bytes over time. Pointer and arrow keys read a bar, Enter or a click opens it. */
export function StackedBars(props: StackedBarsProps) {
  const {
    label,
    parts,
    labels,
    labelPx,
    futureFrom = Infinity,
    height,
    valueText,
    wordsOf,
    onLook,
    onOpen,
    svg,
  } = props;
  const { ref, width } = useElementSize();
  const [looked, setLooked] = useState<number | null>(null);
  const count = labels.length;
  const totals = labels.map((_, at) => parts.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  const ticks = byteTicks(Math.max(...totals, 0));
  const top = ticks.at(-1)!;
  const plotPx = Math.max(0, width - SCALE_PX);
  const slotPx = count === 0 ? 0 : plotPx / count;
  const barPx = Math.max(1, Math.min(slotPx * 0.72, 48));
  const bottom = height - LABELS_PX;
  const yOf = (bytes: number): number => bottom - (bytes / top) * (bottom - TOP_PX);
  const xOf = (index: number): number => SCALE_PX + (index + 0.5) * slotPx;
  const slotsFrom = (first: number, slots: number) => ({
    x: SCALE_PX + first * slotPx,
    y: TOP_PX,
    width: slots * slotPx,
    height: bottom - TOP_PX,
  });
  const look = (at: number | null): void => {
    setLooked(at);
    onLook(at);
  };
  const barAt = ({ clientX, currentTarget }: MouseEvent<SVGSVGElement>): number | null => {
    const at = Math.floor((clientX - currentTarget.getBoundingClientRect().left - SCALE_PX) / slotPx);
    return at >= 0 && at < count ? at : null;
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && looked !== null && onOpen !== undefined) {
      event.preventDefault();
      onOpen(looked);
      return;
    }
    const next = nextIndex(event.key, looked, count);
    if (next === undefined) return;
    event.preventDefault();
    look(next);
  };
  const at = looked !== null && looked < count ? looked : null;
  return (
    <div ref={ref} dir="ltr" style={{ minBlockSize: height }}>
      {width > 0 && (
        <svg
          ref={svg}
          className={classes['chart']}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-orientation="horizontal"
          aria-valuemin={0}
          aria-valuemax={Math.max(0, count - 1)}
          aria-valuenow={at ?? Math.max(0, count - 1)}
          aria-valuetext={wordsOf(at ?? Math.max(0, count - 1))}
          {...{ [OWN_ESCAPE]: at !== null }}
          style={{ cursor: onOpen === undefined ? undefined : 'pointer' }}
          onKeyDown={handleKey}
          onBlur={() => look(null)}
          onPointerMove={(event) => look(barAt(event))}
          onPointerLeave={() => look(null)}
          onClick={(event) => {
            const opened = barAt(event);
            if (opened !== null) onOpen?.(opened);
          }}
        >
          {at !== null && <rect className={classes['looked']} {...slotsFrom(at, 1)} />}
          {futureFrom < count && <rect className={classes['future']} {...slotsFrom(futureFrom, count - futureFrom)} />}
          <Scale ticks={ticks} width={width} yOf={yOf} valueText={valueText} />
          <Bars parts={parts} count={count} barPx={barPx} xOf={xOf} yOf={yOf} />
          <BarLabels labels={labels} every={labelEvery(count, labelPx, plotPx)} xOf={xOf} y={height - 5} />
        </svg>
      )}
    </div>
  );
}

interface ScaleProps {
  ticks: readonly number[];
  width: number;
  yOf: (bytes: number) => number;
  valueText: (bytes: number) => string;
}

function Scale({ ticks, width, yOf, valueText }: ScaleProps) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line className={classes['grid']} x1={SCALE_PX} x2={width} y1={yOf(tick)} y2={yOf(tick)} />
      <text className={classes['label']} x={SCALE_PX - 8} y={yOf(tick)} textAnchor="end" dominantBaseline="middle">
        {valueText(tick)}
      </text>
    </g>
  ));
}

interface BarLabelsProps {
  labels: readonly string[];
  /** One bar in this many has a label. */
  every: number;
  xOf: (at: number) => number;
  y: number;
}

function BarLabels({ labels, every, xOf, y }: BarLabelsProps) {
  return labels.map(
    (words, index) =>
      index % every === 0 && (
        <text key={index} className={classes['label']} x={xOf(index)} y={y} textAnchor="middle">
          {words}
        </text>
      ),
  );
}

interface BarsProps {
  parts: readonly BarPart[];
  count: number;
  barPx: number;
  xOf: (at: number) => number;
  yOf: (bytes: number) => number;
}

/** A line of the background colour separates two parts of similar colour. */
const SEAM_PX = 1;

function Bars({ parts, count, barPx, xOf, yOf }: BarsProps) {
  const bases = Array.from({ length: count }, () => 0);
  return parts.map(({ key, tone, values }) => {
    let path = '';
    for (let at = 0; at < count; at++) {
      const value = values[at] ?? 0;
      if (value <= 0) continue;
      const from = yOf(bases[at]!);
      bases[at]! += value;
      const to = yOf(bases[at]!);
      // A little traffic must stay visible.
      const tall = Math.max(from - to - (bases[at]! > value ? SEAM_PX : 0), 0.75);
      path += `M${(xOf(at) - barPx / 2).toFixed(2)} ${to.toFixed(2)}h${barPx.toFixed(2)}v${tall.toFixed(2)}h${(-barPx).toFixed(2)}z`;
    }
    return <path key={key} className={classes['bar']} data-tone={tone} d={path} />;
  });
}

/** Legend of the parts' colours. */
export function BarKeys({ parts }: { parts: readonly { key: string; tone: Tone; name: string; value: string }[] }) {
  return parts.map(({ key, tone, name, value }) => (
    <span key={key}>
      <span className={classes['key']} data-tone={tone} aria-hidden />
      <bdi>{name}</bdi> · {value}
    </span>
  ));
}
