import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/format.ts';
import { byteTicks } from '../../../ui/byte-ticks.ts';
import { LineKeys } from '../../../ui/line-plot/line-keys.tsx';
import { LinePlot } from '../../../ui/line-plot/line-plot.tsx';
import type { PlotColumns } from '../../../ui/line-plot/use-plot.ts';
import { Hint } from '../../../ui/layout/hint.tsx';

const HEIGHT = 160;
/** Smallest upper end of the scale, in bytes per second. */
const LOWEST_TOP = 1024;

interface HistoryPlotProps {
  title: string;
  /** One name per line. */
  names: readonly [string, string];
  data: PlotColumns;
  windowSec: number;
  /** Ticks of the scale; absent = round values of bytes per second. */
  ticks?: readonly number[];
  valueText: (value: number) => string;
}

/** Two lines over time, read by pointer and arrow keys, with the values read in words. */
export function HistoryPlot({ title, names, data, windowSec, ticks, valueText }: HistoryPlotProps) {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  const [looked, lookAt] = useState<number | null>(null);
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
  return (
    <div>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Group gap="md">
          <LineKeys names={names} />
        </Group>
      </Group>
      <Hint>{words}</Hint>
      <LinePlot
        label={t('history.crosshair', { title })}
        data={data}
        height={HEIGHT}
        windowSec={windowSec}
        ticksOf={(highest) => ticks ?? byteTicks(Math.max(highest, LOWEST_TOP))}
        valueText={valueText}
        hasDots
        words={words}
        looked={looked}
        onLook={lookAt}
      />
    </div>
  );
}
