import { Table, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { InboundColumn } from './inbound-columns.ts';
import { SORTS, type InboundChoice, type InboundSort } from './shown-inbounds.ts';

type Column = 'enable' | 'remark' | InboundColumn;

interface InboundHeadProps {
  column: Column;
  choice: InboundChoice;
  onChoose: (part: Partial<InboundChoice>) => void;
}

const isSort = (column: Column): column is InboundSort => (SORTS as readonly string[]).includes(column);

/** A heading; a click sorts by it, the next one reverses, a third restores the panel's order. */
export function InboundHead({ column, choice, onChoose }: InboundHeadProps) {
  const { t } = useTranslation('inbounds');
  const name = t(`column.${column}`);
  if (!isSort(column)) return <Table.Th scope="col">{name}</Table.Th>;
  const isHere = choice.sort === column;
  const isDown = isHere && choice.order === 'descend';
  const Mark = isDown ? IconChevronDown : IconChevronUp;
  const handlePress = (): void =>
    onChoose(isDown ? { sort: '', order: '' } : { sort: column, order: isHere ? 'descend' : '' });
  return (
    <Table.Th scope="col" aria-sort={isHere ? (isDown ? 'descending' : 'ascending') : 'none'}>
      <UnstyledButton fz="inherit" fw="inherit" c="inherit" onClick={handlePress}>
        {name}
        {isHere && <Mark size={14} aria-hidden style={{ verticalAlign: 'middle', marginInlineStart: 2 }} />}
      </UnstyledButton>
    </Table.Th>
  );
}
