import { Table } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { Density } from '../columns/column-choice.ts';
import classes from './card-table.module.css';

/**
 * A table that is a list of cards on phones, with the same verbs; the first cell is the title of the card, the last its verbs. A cell
 * that needs the name of its column there says it in `data-label`. @param minWidth pixels below which it scrolls
 */
export function CardTable({
  minWidth,
  density = 'comfortable',
  children,
}: {
  minWidth: number;
  density?: Density;
  children: ReactNode;
}) {
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  return (
    <Table.ScrollContainer minWidth={isPhone ? 0 : minWidth} className={classes['frame'] ?? ''}>
      <Table highlightOnHover verticalSpacing={density === 'compact' ? 1 : 6} className={classes['cards'] ?? ''}>
        {children}
      </Table>
    </Table.ScrollContainer>
  );
}
