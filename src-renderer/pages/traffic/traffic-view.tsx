import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrafficHistory } from '#contract/traffic';
import { useFormat } from '../../i18n/format.ts';
import { useZoneFormat } from '../../i18n/zone-format.ts';
import { partTone } from '../../ui/palette/tones.ts';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { BarKeys, StackedBars } from '../../ui/stacked-bars/stacked-bars.tsx';
import { barWords, periodWords } from './bar-words.ts';
import { ExportMenu } from './export-menu.tsx';
import { PeriodBar } from './period-bar.tsx';
import { TrafficFigures } from './traffic-figures.tsx';
import { TrafficTable } from './traffic-table.tsx';
import type { Time, Whose } from './traffic-address.ts';
import classes from './traffic.module.css';
import { useHistory } from './use-history.ts';

const HEIGHT = 240;
const DIRECTIONS = ['both', 'down', 'up'] as const;
type Direction = (typeof DIRECTIONS)[number];

interface TrafficViewProps {
  whose: Whose;
  time: Time;
  onTime: (time: Time) => void;
  /** The subject's name, for file names. */
  title: string;
}

/** A subject's traffic: totals, bars by source with a table behind them, and exports. */
export function TrafficView({ whose, time, onTime, title }: TrafficViewProps) {
  const { t } = useTranslation('traffic');
  const history = useHistory(whose, time);
  const zone = useZoneFormat(history.data?.timeZone ?? '');
  const words = history.data === undefined ? '' : periodWords(history.data, time.period, zone);
  return (
    <Stack gap="md">
      <PeriodBar time={time} onChange={onTime} words={words} shown={history.data ?? null} />
      {history.fetchStatus === 'idle' && history.isPending ? (
        <Text c="dimmed">{t(time.period === 'range' ? 'range.choose' : 'subject.choose')}</Text>
      ) : (
        <QueryView query={history}>
          {(shown) => (
            <div className={history.isPlaceholderData ? classes['stale'] : undefined}>
              <Chart
                key={`${shown.from} ${shown.step}`}
                history={shown}
                title={`${title} · ${words}`}
                period={time.period}
                onTime={onTime}
              />
            </div>
          )}
        </QueryView>
      )}
    </Stack>
  );
}

interface ChartProps {
  history: TrafficHistory;
  title: string;
  period: Time['period'];
  onTime: (time: Time) => void;
}

function Chart({ history, title, period, onTime }: ChartProps) {
  const { t } = useTranslation(['traffic', 'words']);
  const format = useFormat();
  const zone = useZoneFormat(history.timeZone);
  const drawing = useRef<SVGSVGElement>(null);
  const [looked, lookAt] = useState<number | null>(null);
  const [direction, setDirection] = useState<Direction>('both');
  const { labels, labelPx, long } = barWords(history, zone);
  const nameOf = (at: number): string => {
    const { kind, name } = history.sources[at]!;
    return kind === 'core' ? t('words:thisPanel') : name || t('source.gone');
  };
  const bytesOf = (up: number, down: number): number =>
    direction === 'up' ? up : direction === 'down' ? down : up + down;
  const parts = history.sources.map(({ kind, guid, up, down }, at) => ({
    key: `${kind} ${guid}`,
    tone: partTone(at),
    name: nameOf(at),
    values: up.map((bytes, bar) => bytesOf(bytes, down[bar]!)),
  }));
  const sumAt = (at: number, key: 'up' | 'down'): number =>
    history.sources.reduce((sum, source) => sum + source[key][at]!, 0);
  const wordsOf = (at: number): string =>
    at < labels.length
      ? t('bar', { time: long(at), up: format.bytes(sumAt(at, 'up')), down: format.bytes(sumAt(at, 'down')) })
      : '';
  const futureFrom = history.edges.findIndex((edge) => edge > history.now);
  const drillable =
    history.step === 'month' ? 'month' : history.step === 'day' || history.step === 'quarterDay' ? 'day' : null;
  const at = looked;
  return (
    <Stack gap="md">
      <TrafficFigures history={history} period={period} />
      <div className={classes['reading']}>
        <p>
          {at === null
            ? t('summary', {
                count: history.sources.length,
                up: format.bytes(history.total.up),
                down: format.bytes(history.total.down),
              })
            : wordsOf(at)}
        </p>
        <div className={classes['keys']}>
          <BarKeys
            parts={parts.map((part) => ({
              ...part,
              value: format.bytes(at === null ? part.values.reduce((sum, one) => sum + one, 0) : part.values[at]!),
            }))}
          />
        </div>
      </div>
      <StackedBars
        svg={drawing}
        label={t('chart')}
        parts={parts}
        labels={labels}
        labelPx={labelPx}
        futureFrom={futureFrom === -1 ? labels.length : futureFrom}
        height={HEIGHT}
        valueText={format.bytes}
        wordsOf={wordsOf}
        onLook={lookAt}
        onOpen={drillable === null ? undefined : (bar) => onTime({ period: drillable, at: history.edges[bar]! })}
      />
      <div className={classes['reading']}>
        <SegmentedControl
          size="xs"
          aria-label={t('direction.label')}
          data={DIRECTIONS.map((value) => ({ value, label: t(`direction.${value}`) }))}
          value={direction}
          onChange={setDirection}
        />
        <ExportMenu history={history} title={title} nameOf={nameOf} drawing={drawing} />
      </div>
      <TrafficTable history={history} long={long} nameOf={nameOf} />
    </Stack>
  );
}
