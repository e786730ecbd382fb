import { Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CountedInbound } from '#contract/inbounds';
import { SelectionVerbs } from '../../../ui/selection-verbs.tsx';
import { InboundCards } from './inbound-cards.tsx';
import { InboundTable } from './inbound-table.tsx';
import type { InboundListProps } from './list-props.ts';
import { useInboundActions } from './verbs/use-inbound-actions.ts';

/** All inbounds, as a table or as cards, with actions on several at once. */
export function InboundList({
  rows,
  onOpen,
  nodeNames,
  choice,
  onChoose,
}: Omit<InboundListProps, 'actions' | 'selected' | 'onSelect'>) {
  const { t } = useTranslation(['inbounds', 'words']);
  const isPhone = useMediaQuery('(max-width: 48em)') ?? false;
  const actions = useInboundActions();
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
      <List
        rows={rows}
        actions={actions}
        selected={new Set(chosen.map(({ id }) => id))}
        onSelect={select}
        onOpen={onOpen}
        nodeNames={nodeNames}
        choice={choice}
        onChoose={onChoose}
      />
      {chosen.length > 0 && (
        <SelectionVerbs
          label={t('bulk.label')}
          verbs={[
            { label: t('words:enableSelected'), onClick: () => void actions.setEnable(chosen, true) },
            { label: t('words:disable'), onClick: () => void actions.setEnable(chosen, false) },
            {
              label: t('remove.action', { count: chosen.length }),
              isDanger: true,
              onClick: () => void actions.remove(chosen),
            },
            { label: t('words:resetTraffic'), onClick: () => void actions.resetTraffic(chosen) },
          ]}
          onClear={() => setPicked(new Set())}
        >
          <Text size="sm" aria-live="polite">
            {t('words:selected', { count: chosen.length })}
          </Text>
        </SelectionVerbs>
      )}
    </>
  );
}
