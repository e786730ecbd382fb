import { Table } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrafficHistory } from '#contract/traffic';
import { useFormat } from '../../i18n/format.ts';
import { TableHead } from '../../ui/layout/table-head.tsx';
import classes from './traffic.module.css';

interface TrafficTableProps {
  history: TrafficHistory;
  /** The name of a bar. */
  long: (at: number) => string;
  /** The name of a source. */
  nameOf: (at: number) => string;
}

/** The bars as a table of figures, also for screen readers. Rendered when opened. */
export function TrafficTable({ history, long, nameOf }: TrafficTableProps) {
  const { t } = useTranslation(['traffic', 'words']);
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const { edges, sources } = history;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('table')}</summary>
      {isOpen && (
        // A scrolling table must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={classes['table']} tabIndex={0} role="region" aria-label={t('table')}>
          <Table stickyHeader>
            <TableHead columns={[t('words:time'), t('column.source'), t('column.up'), t('column.down')]} />
            <Table.Tbody>
              {edges.slice(0, -1).flatMap((start, at) =>
                sources.flatMap(({ kind, guid, up, down }, source) =>
                  up[at] === 0 && down[at] === 0
                    ? []
                    : [
                        <Table.Tr key={`${start} ${kind} ${guid}`}>
                          <Table.Td>{long(at)}</Table.Td>
                          <Table.Td>
                            <bdi>{nameOf(source)}</bdi>
                          </Table.Td>
                          <Table.Td>{format.bytes(up[at]!)}</Table.Td>
                          <Table.Td>{format.bytes(down[at]!)}</Table.Td>
                        </Table.Tr>,
                      ],
                ),
              )}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </details>
  );
}
