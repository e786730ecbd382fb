import { Paper, Progress, SimpleGrid, Text } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerStatus } from '#contract/server';
import { useFormat } from '../../i18n/format.ts';
import type { Measure } from '../../stores/point-ring.ts';
import classes from './overview.module.css';
import { Sparkline } from './sparkline.tsx';

/** Figures of the machine, as the stream brings them, over their last six hours. */
export function Tiles({ status }: { status: ServerStatus }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const amount = ({ current, total }: { current: number; total: number }) => ({
    share: total === 0 ? 0 : (current / total) * 100,
    text: t('tiles.of', { used: format.bytes(current), total: format.bytes(total) }),
  });
  const { load1: one, load5: five, load15: fifteen } = status.load;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      <Tile name={t('tiles.cpu')} measure="cpu" share={status.cpu} text={format.percent(status.cpu)} />
      <Tile name={t('tiles.memory')} measure="mem" {...amount(status.mem)} />
      <Tile name={t('tiles.disk')} measure="diskUsage" {...amount(status.disk)} />
      <Tile name={t('tiles.swap')} measure="swap" {...amount(status.swap)} />
      <Tile
        name={t('tiles.load')}
        measure="load1"
        text={t('tiles.loads', {
          one: format.decimal(one),
          five: format.decimal(five),
          fifteen: format.decimal(fifteen),
        })}
      />
      <Tile name={t('tiles.tcp')} measure="tcpCount" text={format.number(status.tcpCount)} />
    </SimpleGrid>
  );
}

/** Pixels of a bar's height. */
const BAR = 4;

interface TileProps {
  name: string;
  measure: Measure;
  text: string;
  /** Percent; absent for figures without an upper end. */
  share?: number;
}

const Tile = memo(function Tile({ name, measure, text, share }: TileProps) {
  return (
    <Paper withBorder p="sm" className={classes['tile'] ?? ''}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fw={600} fz="sm">
        {text}
      </Text>
      <Sparkline measure={measure} {...(share === undefined ? {} : { top: 100 })} />
      {share === undefined ? (
        <div className={classes['noShare']} />
      ) : (
        <Progress
          value={share}
          size={BAR}
          mt={4}
          color={share > 90 ? 'red' : 'indigo'}
          transitionDuration={0}
          aria-label={name}
        />
      )}
    </Paper>
  );
});
