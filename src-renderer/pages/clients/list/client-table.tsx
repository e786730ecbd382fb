import { Checkbox } from '@mantine/core';
import { Fragment, useCallback, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClientPage, SlimClientRow } from '#contract/clients/list';
import { serverNow } from '../../../stores/server-clock.ts';
import { stateOf } from '../client-state.ts';
import { ClientTableRow } from './client-table-row.tsx';
import classes from '../clients.module.css';
import { ColumnHead } from './columns/column-head.tsx';
import { useColumns } from './columns/column-store.ts';
import type { CellContext, HeadId } from './columns/columns.tsx';
import type { ListAddress } from '../filters/list-address.ts';
import { useSelection } from '../bulk/selection-store.ts';
import { useCellTools } from './use-cell-tools.ts';
import { useColumnWidths } from './columns/use-column-widths.ts';
import { useFrameWidth } from './use-frame-width.ts';
import { useListPlace } from './use-list-place.ts';
import { useRowKeys } from './use-row-keys.ts';
import { ROW_PX, useRowWindow } from './use-row-window.ts';

/** The column of ticks, in CSS pixels. */
const TICK_PX = 44;
/** The column of menus. */
const MENU_PX = 44;

interface ClientTableProps {
  page: ClientPage;
  address: ListAddress;
  /** Whether these are rows of the previous address, shown until the next ones come. */
  isStale: boolean;
  onSort: (part: Partial<ListAddress>) => void;
  onOpen: (email: string) => void;
  onEdit: (email: string) => void;
  onLedger: (email: string) => void;
}

/** Goes into the rows, to the one that had the focus last. */
export function focusRows(): void {
  document.querySelector<HTMLElement>(`.${classes['table']} tbody tr[tabindex="0"]`)?.focus();
}

/** Rows take the focus one at a time: arrows move, Space selects, Shift extends, Enter opens, `e` edits, `m` opens its menu, Del asks. */
export function ClientTable({ page, address, isStale, onSort, onOpen, onEdit, onLedger }: ClientTableProps) {
  const { t } = useTranslation(['clients', 'shell']);
  const { items, summary } = page;
  const selection = useSelection();
  const { order, shown, density } = useColumns();
  const columns = useMemo(() => order.filter((id) => shown.includes(id)), [order, shown]);
  const heads: readonly HeadId[] = useMemo(() => ['email', ...columns], [columns]);
  const tools = useCellTools(onLedger);
  const scroller = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const emails = useMemo(() => items.map(({ email }) => email), [items]);
  const list = isStale ? '' : JSON.stringify(address);
  const { current, body, handleFocus, handleKey } = useRowKeys({ items, emails, list, onOpen, onEdit });
  const { widthPx, isCards } = useFrameWidth(scroller);
  const { rows, endPx } = useRowWindow(items.length, scroller, ROW_PX[density], current, isCards);
  const sets = useMemo(
    () => ({
      online: new Set(summary.online),
      depleted: new Set(summary.depleted),
      expiring: new Set(summary.expiring),
    }),
    [summary],
  );
  const contextOf = useCallback(
    (row: SlimClientRow): CellContext => ({
      ...tools,
      state: stateOf(row, sets, serverNow()),
      isOnline: sets.online.has(row.email),
    }),
    [tools, sets],
  );
  const widths = useColumnWidths(heads, items, contextOf, table, widthPx - TICK_PX - MENU_PX);
  const tablePx = [...widths.values()].reduce((sum, width) => sum + width, TICK_PX + MENU_PX);
  const ticked = emails.filter((email) => selection.emails.has(email)).length;
  useListPlace(scroller, list);
  return (
    <div ref={scroller} className={classes['scroll']} data-cards={isCards}>
      <table
        ref={table}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table that is worked by keys is a grid
        role="grid"
        className={classes['table']}
        data-stale={isStale}
        data-density={density}
        data-wide={tablePx > widthPx}
        aria-label={t('shell:nav.clients')}
        aria-busy={isStale}
        aria-rowcount={page.filtered + 1}
        aria-multiselectable
        style={{ minInlineSize: isCards ? undefined : tablePx }}
      >
        <colgroup>
          <col style={{ inlineSize: TICK_PX }} />
          {heads.map((id) => (
            <col key={id} style={{ inlineSize: widths.get(id) }} />
          ))}
          <col style={{ inlineSize: MENU_PX }} />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" data-cell="select">
              <Checkbox
                aria-label={t('selectAll')}
                checked={ticked === emails.length}
                indeterminate={ticked > 0 && ticked < emails.length}
                onChange={({ currentTarget }) => selection.set(emails, currentTarget.checked)}
              />
            </th>
            {heads.map((id) => (
              <ColumnHead key={id} id={id} address={address} onSort={onSort} />
            ))}
            <td data-cell="menu" aria-hidden />
          </tr>
        </thead>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the rows arrive here */}
        <tbody ref={body} onKeyDown={handleKey}>
          {rows.map(({ index, gapPx }) => {
            const row = items[index]!;
            return (
              <Fragment key={row.email}>
                <Gap heightPx={gapPx} />
                <ClientTableRow
                  row={row}
                  index={index}
                  rowIndex={(address.page - 1) * address.size + index + 2}
                  columns={columns}
                  state={stateOf(row, sets, serverNow())}
                  isOnline={sets.online.has(row.email)}
                  tools={tools}
                  isCurrent={index === current}
                  isSelected={selection.emails.has(row.email)}
                  onFocus={handleFocus}
                  onToggle={selection.toggle}
                  onOpen={onOpen}
                />
              </Fragment>
            );
          })}
          <Gap heightPx={endPx} />
        </tbody>
      </table>
    </div>
  );
}

/** Stands for rows that are not there. */
function Gap({ heightPx }: { heightPx: number }) {
  if (heightPx <= 0) return null;
  return <tr aria-hidden data-gap style={{ blockSize: heightPx }} />;
}
