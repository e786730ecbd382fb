import { Paper, Progress, SimpleGrid, Text } from '@mantine/core';
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerStatus } from '#contract/server';
import { useFormat } from '../../i18n/format.ts';
import type { Measure } from '../../stores/point-ring.ts';
import classes from './overview.module.css';
import { Sparkline } from './sparkline.tsx';
import { useStatus } from './use-status.ts';

type Select<T> = (status: ServerStatus) => T;

/** Figures of the machine, as the stream brings them, over their last six hours. */
export const Tiles = memo(function Tiles() {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const words = useMemo(() => {
    const amount = ({ current, total }: { current: number; total: number }): string =>
      t('tiles.of', { used: format.bytes(current), total: format.bytes(total) });
    return {
      cpu: ({ cpu }: ServerStatus) => format.percent(cpu),
      memory: ({ mem }: ServerStatus) => amount(mem),
      disk: ({ disk }: ServerStatus) => amount(disk),
      swap: ({ swap }: ServerStatus) => amount(swap),
      load: ({ load: { load1, load5, load15 } }: ServerStatus) => {
        const [one, five, fifteen] = [load1, load5, load15].map(format.decimal);
        return t('tiles.loads', { one, five, fifteen });
      },
      tcp: ({ tcpCount }: ServerStatus) => format.number(tcpCount),
    };
  }, [t, format]);
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      <Tile name={t('tiles.cpu')} measure="cpu" words={words.cpu} share={SHARES.cpu} />
      <Tile name={t('tiles.memory')} measure="mem" words={words.memory} share={SHARES.memory} />
      <Tile name={t('tiles.disk')} measure="diskUsage" words={words.disk} share={SHARES.disk} />
      <Tile name={t('tiles.swap')} measure="swap" words={words.swap} share={SHARES.swap} />
      <Tile name={t('tiles.load')} measure="load1" words={words.load} />
      <Tile name={t('tiles.tcp')} measure="tcpCount" words={words.tcp} />
    </SimpleGrid>
  );
});

/** Percent, no finer than a bar shows. */
const SHARES = {
  cpu: ({ cpu }: ServerStatus) => Math.round(cpu),
  memory: ({ mem }: ServerStatus) => wholeShare(mem),
  disk: ({ disk }: ServerStatus) => wholeShare(disk),
  swap: ({ swap }: ServerStatus) => wholeShare(swap),
};

function wholeShare({ current, total }: { current: number; total: number }): number {
  return total === 0 ? 0 : Math.round((current / total) * 100);
}

interface TileProps {
  name: string;
  measure: Measure;
  words: Select<string>;
  /** Absent for figures without an upper end. */
  share?: Select<number>;
}

/** Only its words and its bar follow the readings, each when it changes. */
const Tile = memo(function Tile({ name, measure, words, share }: TileProps) {
  return (
    <Paper withBorder p="sm" className={classes['tile'] ?? ''}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fw={600} fz="sm">
        <Shown words={words} />
      </Text>
      <Sparkline measure={measure} {...(share === undefined ? {} : { top: 100 })} />
      {share === undefined ? <div className={classes['noShare']} /> : <Bar name={name} share={share} />}
    </Paper>
  );
});

function Shown({ words }: { words: Select<string> }) {
  return useStatus(words).data;
}

/** Pixels of a bar's height. */
const BAR = 4;

function Bar({ name, share }: { name: string; share: Select<number> }) {
  const { data = 0 } = useStatus(share);
  return (
    <Progress
      value={data}
      size={BAR}
      mt={4}
      color={data > 90 ? 'red' : 'indigo'}
      transitionDuration={0}
      aria-label={name}
    />
  );
}
