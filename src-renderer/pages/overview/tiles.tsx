import { SimpleGrid } from '@mantine/core';
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerStatus } from '#contract/server';
import { useFormat } from '../../i18n/format.ts';
import type { Measure } from '../../stores/point-ring.ts';
import { severityTone } from '../../ui/palette/tones.ts';
import classes from './overview.module.css';
import { Sparkline } from './sparkline.tsx';
import { useStatus } from './use-status.ts';

/** The part of a reading that a tile shows. */
interface Figure {
  words: string;
  /** Percent, as coarse as the bar; null for figures without an upper end. */
  share: number | null;
}

const TILES = [
  ['cpu', 'cpu'],
  ['memory', 'mem'],
  ['disk', 'diskUsage'],
  ['swap', 'swap'],
  ['load', 'load1'],
  ['tcp', 'tcpCount'],
] as const satisfies readonly (readonly [string, Measure])[];

/** Live figures of the machine, over their last six hours. */
export const Tiles = memo(function Tiles() {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const figuresOf = useMemo(() => {
    const amount = ({ current, total }: { current: number; total: number }): Figure => ({
      words: t('tiles.of', { used: format.bytes(current), total: format.bytes(total) }),
      share: total === 0 ? 0 : Math.round((current / total) * 100),
    });
    return ({ cpu, mem, disk, swap, load, tcpCount }: ServerStatus): Record<(typeof TILES)[number][0], Figure> => {
      const [one, five, fifteen] = [load.load1, load.load5, load.load15].map(format.decimal);
      return {
        cpu: { words: format.percent(cpu), share: Math.round(cpu) },
        memory: amount(mem),
        disk: amount(disk),
        swap: amount(swap),
        load: { words: t('tiles.loads', { one, five, fifteen }), share: null },
        tcp: { words: format.number(tcpCount), share: null },
      };
    };
  }, [t, format]);
  // Unchanged figures keep their identity, so that their tiles do not render again.
  const { data: figures } = useStatus(figuresOf);
  const names = useMemo(() => TILES.map(([tile]) => t(`tiles.${tile}`)), [t]);
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      {TILES.map(([tile, measure], index) => (
        <Tile key={tile} name={names[index] ?? ''} measure={measure} figure={figures?.[tile] ?? UNKNOWN} />
      ))}
    </SimpleGrid>
  );
});

const UNKNOWN: Figure = { words: '', share: null };

/** Plain elements: every reading renders some tiles again. */
const Tile = memo(function Tile({ name, measure, figure }: { name: string; measure: Measure; figure: Figure }) {
  const { words, share } = figure;
  return (
    <div className={classes['tile']}>
      <p className={classes['tileName']}>{name}</p>
      <p className={classes['figure']}>{words}</p>
      <Sparkline measure={measure} {...(share === null ? {} : { top: 100 })} />
      {share === null ? <div className={classes['noShare']} /> : <Bar name={name} percent={share} />}
    </div>
  );
});

/** Percent at which a bar warns. */
const NEARLY_FULL = 90;

function Bar({ name, percent }: { name: string; percent: number }) {
  return (
    <div
      className={classes['bar']}
      role="progressbar"
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={`${percent}%`}
      data-tone={severityTone(percent > NEARLY_FULL ? 'danger' : 'fine')}
    >
      <div style={{ inlineSize: `${percent}%` }} />
    </div>
  );
}
