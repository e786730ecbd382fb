import { Paper, Progress, SimpleGrid, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ServerStatus } from '#contract/server';
import { useFormat } from '../../i18n/format.ts';

/** Figures of the machine, as the stream brings them. */
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
      <Tile name={t('tiles.cpu')} share={status.cpu} text={format.percent(status.cpu)} />
      <Tile name={t('tiles.memory')} {...amount(status.mem)} />
      <Tile name={t('tiles.disk')} {...amount(status.disk)} />
      <Tile name={t('tiles.swap')} {...amount(status.swap)} />
      <Tile name={t('tiles.load')} text={t('tiles.loads', { one, five, fifteen })} />
      <Tile name={t('tiles.uptime')} text={format.duration(status.uptime)} />
    </SimpleGrid>
  );
}

function Tile({ name, text, share }: { name: string; text: string; share?: number }) {
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fw={600}>{text}</Text>
      {share !== undefined && (
        <Progress
          value={share}
          size="sm"
          mt={6}
          color={share > 90 ? 'red' : 'indigo'}
          transitionDuration={0}
          aria-label={name}
        />
      )}
    </Paper>
  );
}
