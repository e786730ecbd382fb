import { Table } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from '../core.module.css';

/** A table that is a list of cards on phones, with the same verbs. @param minWidth pixels below which it scrolls */
export function CardTable({ minWidth, children }: { minWidth: number; children: ReactNode }) {
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  return (
    <Table.ScrollContainer minWidth={isPhone ? 0 : minWidth}>
      <Table highlightOnHover verticalSpacing={6} className={classes['cards'] ?? ''}>
        {children}
      </Table>
    </Table.ScrollContainer>
  );
}
