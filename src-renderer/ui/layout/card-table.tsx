import { Table } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { Density } from '../columns/column-choice.ts';
import classes from './card-table.module.css';
import { TableHead } from './table-head.tsx';

interface CardTableProps {
  /** Width in pixels below which it scrolls. */
  minWidth: number;
  density?: Density;
  /** Headings of the columns; the children are rows then, else the whole table. */
  columns?: readonly string[];
  /** Heading of the actions column, for screen readers. */
  actions?: string;
  children: ReactNode;
}

/**
 * A table that turns into a list of cards on phones, with the same actions; the first cell is the card's title, the
 * last its actions. A cell that needs its column's name there sets `data-label`.
 */
export function CardTable({ minWidth, density = 'comfortable', columns, actions, children }: CardTableProps) {
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  return (
    <Table.ScrollContainer minWidth={isPhone ? 0 : minWidth} className={classes['frame'] ?? ''}>
      <Table highlightOnHover verticalSpacing={density === 'compact' ? 1 : 6} className={classes['cards'] ?? ''}>
        {columns === undefined ? (
          children
        ) : (
          <>
            <TableHead columns={columns} {...(actions === undefined ? {} : { actions })} />
            <Table.Tbody>{children}</Table.Tbody>
          </>
        )}
      </Table>
    </Table.ScrollContainer>
  );
}
