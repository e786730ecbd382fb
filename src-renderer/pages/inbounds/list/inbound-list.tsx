import { Button, Group, Paper, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CountedInbound } from '#contract/inbounds';
import { InboundCards } from './inbound-cards.tsx';
import { InboundTable } from './inbound-table.tsx';
import type { InboundListProps } from './list-props.ts';
import { useInboundDeeds } from './use-inbound-deeds.ts';

/** All inbounds, as a table or as cards, with what can be done to several at once. */
export function InboundList({ rows, onOpen, nodeNames }: Pick<InboundListProps, 'rows' | 'onOpen' | 'nodeNames'>) {
  const { t } = useTranslation('inbounds');
  const isPhone = useMediaQuery('(max-width: 48em)') ?? false;
  const deeds = useInboundDeeds();
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const chosen = rows.filter(({ id }) => picked.has(id));
  const select = (inbounds: readonly CountedInbound[], isSelected: boolean): void => {
    const ids = inbounds.map(({ id }) => id);
    setPicked((before) =>
      isSelected ? new Set([...before, ...ids]) : new Set([...before].filter((id) => !ids.includes(id))),
    );
  };
  const List = isPhone ? InboundCards : InboundTable;
  return (
    <>
      {chosen.length > 0 && (
        <Paper withBorder p="xs" role="region" aria-label={t('bulk.label')}>
          <Group gap="xs">
            <Text size="sm" aria-live="polite">
              {t('bulk.selected', { count: chosen.length })}
            </Text>
            <Button size="xs" variant="default" onClick={() => void deeds.setEnable(chosen, true)}>
              {t('bulk.enable')}
            </Button>
            <Button size="xs" variant="default" onClick={() => void deeds.setEnable(chosen, false)}>
              {t('bulk.disable')}
            </Button>
            <Button size="xs" variant="default" onClick={() => void deeds.resetTraffic(chosen)}>
              {t('reset')}
            </Button>
            <Button size="xs" color="red.9" onClick={() => void deeds.remove(chosen)}>
              {t('remove.deed', { count: chosen.length })}
            </Button>
          </Group>
        </Paper>
      )}
      <List
        rows={rows}
        deeds={deeds}
        selected={new Set(chosen.map(({ id }) => id))}
        onSelect={select}
        onOpen={onOpen}
        nodeNames={nodeNames}
      />
    </>
  );
}
