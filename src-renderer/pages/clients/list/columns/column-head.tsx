import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSelector } from '@tabler/icons-react';
import { useRef, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../../clients.module.css';
import { useColumns } from './column-store.ts';
import { columnOf, type HeadId } from './columns.tsx';
import type { ListAddress } from '../../filters/list-address.ts';

interface ColumnHeadProps {
  id: HeadId;
  address: ListAddress;
  onSort: (part: Partial<ListAddress>) => void;
}

/** Heading of a column: a click sorts, its edge is dragged to another width. The menu of columns does both by keyboard. */
export function ColumnHead({ id, address, onSort }: ColumnHeadProps) {
  const { t } = useTranslation('clients');
  const { sort } = columnOf(id);
  const order = sortOf(sort, address);
  const handleSort = (): void => onSort({ sort, order: order === 'ascending' ? 'descend' : 'ascend' });
  return (
    <th scope="col" aria-sort={order} data-column={id}>
      {sort === '' ? (
        t(`column.${id}`)
      ) : (
        <UnstyledButton className={classes['sort'] ?? ''} onClick={handleSort}>
          {t(`column.${id}`)}
          <SortMark order={order} />
        </UnstyledButton>
      )}
      <WidthHandle id={id} />
    </th>
  );
}

function WidthHandle({ id }: { id: HeadId }) {
  const setWidth = useColumns((state) => state.setWidth);
  const start = useRef<{ x: number; width: number; sign: number } | null>(null);
  const handleDown = (event: PointerEvent<HTMLElement>): void => {
    const head = event.currentTarget.closest('th')!;
    const sign = getComputedStyle(head).direction === 'rtl' ? -1 : 1;
    start.current = { x: event.clientX, width: head.offsetWidth, sign };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const handleMove = ({ clientX }: PointerEvent): void => {
    if (start.current === null) return;
    const { x, width, sign } = start.current;
    setWidth(id, width + (clientX - x) * sign);
  };
  const handleEnd = (): void => {
    start.current = null;
  };
  return (
    <span
      aria-hidden
      className={classes['edge']}
      onPointerDown={handleDown}
      onPointerMove={handleMove}
      onPointerUp={handleEnd}
      onPointerCancel={handleEnd}
      onDoubleClick={() => setWidth(id, null)}
    />
  );
}

const SORT_MARKS = { ascending: IconChevronUp, descending: IconChevronDown };

function SortMark({ order }: { order: keyof typeof SORT_MARKS | undefined }) {
  const Mark = order === undefined ? IconSelector : SORT_MARKS[order];
  return <Mark size={14} aria-hidden />;
}

function sortOf(sort: string, address: ListAddress): 'ascending' | 'descending' | undefined {
  if (sort === '' || address.sort !== sort) return undefined;
  return address.order === 'descend' ? 'descending' : 'ascending';
}
