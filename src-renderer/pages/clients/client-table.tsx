import { Checkbox, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSelector } from '@tabler/icons-react';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClientPage } from '#contract/clients';
import { ClientTableRow } from './client-table-row.tsx';
import classes from './clients.module.css';
import { useColumns } from './column-store.ts';
import { columnOf } from './columns.tsx';
import { useDeeds } from './deeds/deed-store.ts';
import type { ListAddress } from './list-address.ts';
import { useSelection } from './selection-store.ts';

interface ClientTableProps {
  page: ClientPage;
  address: ListAddress;
  /** Whether these are rows of the previous address, shown until the next ones come. */
  isStale: boolean;
  onSort: (part: Partial<ListAddress>) => void;
  onOpen: (email: string) => void;
  onEdit: (email: string) => void;
}

/** Goes into the rows, to the one that had the focus last. */
export function focusRows(): void {
  document.querySelector<HTMLElement>(`.${classes['table']} tbody tr[tabindex="0"]`)?.focus();
}

/** Rows take the focus one at a time: arrows move, Space selects, Shift extends, Enter opens, `e` edits, Del asks. */
export function ClientTable({ page, address, isStale, onSort, onOpen, onEdit }: ClientTableProps) {
  const { t } = useTranslation('clients');
  const { items, summary } = page;
  const selection = useSelection();
  const { order, shown, density } = useColumns();
  const columns = useMemo(() => order.filter((id) => shown.includes(id)), [order, shown]);
  const heads = [{ id: 'email' as const, sort: 'email' }, ...columns.map((id) => ({ id, sort: columnOf(id).sort }))];
  const ask = useDeeds((state) => state.ask);
  const body = useRef<HTMLTableSectionElement>(null);
  const [current, setCurrent] = useState(0);
  const sets = useMemo(
    () => ({
      online: new Set(summary.online),
      depleted: new Set(summary.depleted),
      expiring: new Set(summary.expiring),
    }),
    [summary],
  );
  const emails = items.map(({ email }) => email);
  const ticked = emails.filter((email) => selection.emails.has(email)).length;
  const focusRow = (index: number): void => {
    const row = body.current?.rows[index];
    if (row === undefined) return;
    setCurrent(index);
    row.focus();
  };
  const handleKey = (event: KeyboardEvent): void => {
    const email = emails[current];
    if (email === undefined || (event.target as Element).closest('tr') !== event.target) return;
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -current, End: emails.length - 1 - current }[event.key];
    if (step !== undefined) {
      const next = Math.min(Math.max(current + step, 0), emails.length - 1);
      if (event.shiftKey) selection.set([email, emails[next]!], true);
      focusRow(next);
    } else if (event.key === ' ') selection.toggle(email);
    else if (event.key === 'Enter') onOpen(email);
    else if (event.key === 'e') onEdit(email);
    else if (event.key === 'Delete') ask('delete', [email]);
    else return;
    event.preventDefault();
  };
  const sortBy = (sort: string): void =>
    onSort({ sort, order: address.sort === sort && address.order !== 'descend' ? 'descend' : 'ascend' });
  return (
    <div className={classes['scroll']}>
      <table
        className={classes['table']}
        data-stale={isStale}
        data-density={density}
        aria-label={t('title')}
        aria-busy={isStale}
      >
        <thead>
          <tr>
            <th scope="col">
              <Checkbox
                aria-label={t('selectAll')}
                checked={ticked === emails.length}
                indeterminate={ticked > 0 && ticked < emails.length}
                onChange={({ currentTarget }) => selection.set(emails, currentTarget.checked)}
              />
            </th>
            {heads.map(({ id, sort }) => (
              <th key={id} scope="col" aria-sort={sortOf(sort, address)}>
                {sort === '' ? (
                  t(`column.${id}`)
                ) : (
                  <UnstyledButton className={classes['sort'] ?? ''} onClick={() => sortBy(sort)}>
                    {t(`column.${id}`)}
                    <SortMark order={sortOf(sort, address)} />
                  </UnstyledButton>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={handleKey}>
          {items.map((row, index) => (
            <ClientTableRow
              key={row.email}
              row={row}
              columns={columns}
              sets={sets}
              isCurrent={index === Math.min(current, items.length - 1)}
              isSelected={selection.emails.has(row.email)}
              onFocus={() => setCurrent(index)}
              onToggle={selection.toggle}
              onOpen={onOpen}
            />
          ))}
        </tbody>
      </table>
    </div>
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
