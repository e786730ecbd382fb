import { memo, type MouseEvent } from 'react';
import type { SlimClientRow } from '#contract/clients/list';
import type { ClientState } from '../client-state.ts';
import classes from '../clients.module.css';
import { openRowMenu } from '../row/row-menu-store.ts';
import { columnOf, type CellTools, type ColumnId } from './columns/columns.tsx';

interface ClientTableRowProps {
  row: SlimClientRow;
  /** Place on the page, from 0. */
  index: number;
  /** Place in the whole list, the row of headings counted. */
  rowIndex: number;
  columns: readonly ColumnId[];
  state: ClientState;
  isOnline: boolean;
  tools: CellTools;
  isCurrent: boolean;
  isSelected: boolean;
  onFocus: (index: number) => void;
  onToggle: (email: string) => void;
  onOpen: (email: string) => void;
}

/** One client. Drawn again only when something of its own changed. */
export const ClientTableRow = memo(function ClientTableRow(props: ClientTableRowProps) {
  const { row, index, rowIndex, columns, state, isOnline, tools, isCurrent, isSelected } = props;
  const { onFocus, onToggle, onOpen } = props;
  const { t } = tools;
  const { email } = row;
  const context = { ...tools, state, isOnline };
  const handleMenu = (event: MouseEvent<HTMLElement>): void => {
    event.preventDefault();
    const place = event.currentTarget.closest('tr');
    if (place !== null) openRowMenu(row, place);
  };
  return (
    <tr
      tabIndex={isCurrent ? 0 : -1}
      onFocus={() => onFocus(index)}
      onContextMenu={(event) => {
        // Text that is marked, links and fields keep the browser's own menu.
        if (getSelection()?.isCollapsed !== false) handleMenu(event);
      }}
      data-index={index}
      data-selected={isSelected}
      aria-selected={isSelected}
      aria-rowindex={rowIndex}
    >
      <td data-cell="select">
        <label className={classes['tickArea']}>
          <input
            type="checkbox"
            className={classes['tick']}
            aria-label={t('selectOne', { email })}
            checked={isSelected}
            onChange={() => onToggle(email)}
            tabIndex={-1}
          />
        </label>
      </td>
      <th scope="row" title={email}>
        {/* The row itself is the stop of the Tab key, and its Enter does the same. */}
        <button type="button" className={classes['email']} tabIndex={-1} onClick={() => onOpen(email)}>
          <bdi>{email}</bdi>
        </button>
      </th>
      {columns.map((id) => {
        const { cell, text, title, isNumber } = columnOf(id);
        return (
          <td
            key={id}
            data-label={t(`column.${id}`)}
            data-column={id}
            data-number={isNumber}
            title={title?.(row, context)}
          >
            {cell === undefined ? text(row, context) : cell(row, context)}
          </td>
        );
      })}
      <td data-cell="menu">
        {/* Reached by keyboard with the row's own key. */}
        <button
          type="button"
          className={classes['more']}
          data-row-menu
          tabIndex={-1}
          aria-haspopup="menu"
          aria-label={tools.menuLabel(email)}
          onClick={handleMenu}
        />
      </td>
    </tr>
  );
});
