import { Group, Paper, SegmentedControl, Title } from '@mantine/core';
import { memo, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useShallow } from 'zustand/react/shallow';
import { useFormat, type Format } from '../../i18n/format.ts';
import { useLiveStatus } from '../../stores/live-status.ts';
import { LineKeys } from '../../ui/line-plot/line-keys.tsx';
import { LinePlot } from '../../ui/line-plot/line-plot.tsx';
import { byteTicks } from '../../ui/byte-ticks.ts';
import { Hint } from '../../ui/layout/hint.tsx';
import { chartData, LOWEST_TOP, SPANS, type Span } from './chart-data.ts';
import { useDrawnPoints } from './drawn-points.ts';
import classes from './overview.module.css';

const HEIGHT = 220;
/** When it counts as drawn although nothing can be drawn: in a window without width. */
const LATEST_DRAWN_MS = 1_000;

/** Bytes per second, live or over the last hours; pointer and arrow keys read any moment. */
export const ThroughputChart = memo(function ThroughputChart({ onDrawn }: { onDrawn: () => void }) {
  const [span, setSpan] = useState<Span>('live');
  useEffect(() => {
    const latest = setTimeout(onDrawn, LATEST_DRAWN_MS);
    return () => clearTimeout(latest);
  }, [onDrawn]);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="throughput">
      <Controls span={span} onChange={setSpan} />
      <Drawing key={span} span={span} onDrawn={onDrawn}>
        <Legend span={span} />
      </Drawing>
    </Paper>
  );
});

/** The drawing, redrawn when its line moves, and its text: plain elements that cost next to nothing to render. */
function Drawing({ span, onDrawn, children }: { span: Span; onDrawn: () => void; children: ReactNode }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const [looked, lookAt] = useState<number | null>(null);
  const points = useDrawnPoints();
  const data = useMemo(() => chartData(points, span), [points, span]);
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
  return (
    <>
      <div className={classes['reading']}>
        <p className={classes['words']}>
          {shown === null ? <Summary peak={Math.max(0, ...ups.map(Number), ...downs.map(Number))} /> : atWords}
        </p>
        {children}
      </div>
      <div className={classes['chart']}>
        <LinePlot
          label={t('chart.crosshair')}
          data={data}
          height={HEIGHT}
          windowSec={SPANS[span].windowSec}
          ticksOf={(highest) => byteTicks(Math.max(highest, LOWEST_TOP))}
          valueText={format.rate}
          words={atWords}
          looked={looked}
          onLook={lookAt}
          onDrawn={onDrawn}
        />
      </div>
    </>
  );
}

const rateOf = (value: number | null | undefined, format: Format): string =>
  typeof value === 'number' ? format.rate(value) : '—';

/** The newest reading in words, drawn or not. @param peak highest of the drawing, in bytes per second */
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

/** Legend of the lines, told apart by their strokes too, and the time per point. */
const Legend = memo(function Legend({ span }: { span: Span }) {
  const { t } = useTranslation(['overview', 'words']);
  return (
    <Group gap="md">
      <LineKeys names={[t('words:up'), t('words:down')]} />
      <Hint size="xs">{t(`chart.bucket.${span}`)}</Hint>
    </Group>
  );
});
