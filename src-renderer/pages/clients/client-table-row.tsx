import { Checkbox, UnstyledButton } from '@mantine/core';
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { SlimClientRow } from '#contract/clients';
import { useFormat } from '../../i18n/format.ts';
import classes from './clients.module.css';
import { columnOf, type CellContext, type ColumnId, type StateSets } from './columns.tsx';
import { useExpiryText } from './use-expiry-text.ts';

interface ClientTableRowProps {
  row: SlimClientRow;
  columns: readonly ColumnId[];
  sets: StateSets;
  isCurrent: boolean;
  isSelected: boolean;
  onFocus: () => void;
  onToggle: (email: string) => void;
  onOpen: (email: string) => void;
}

export const ClientTableRow = memo(function ClientTableRow(props: ClientTableRowProps) {
  const { row, columns, sets, isCurrent, isSelected, onFocus, onToggle, onOpen } = props;
  const { t } = useTranslation('clients');
  const format = useFormat();
  const expiryText = useExpiryText();
  const context: CellContext = useMemo(() => ({ sets, format, expiryText, t }), [sets, format, expiryText, t]);
  const { email } = row;
  return (
    <tr tabIndex={isCurrent ? 0 : -1} onFocus={onFocus} data-selected={isSelected}>
      <td data-cell="select">
        <Checkbox
          aria-label={t('selectOne', { email })}
          checked={isSelected}
          onChange={() => onToggle(email)}
          tabIndex={-1}
        />
      </td>
      <th scope="row">
        {/* The row itself is the stop of the Tab key, and its Enter does the same. */}
        <UnstyledButton className={classes['email'] ?? ''} tabIndex={-1} onClick={() => onOpen(email)}>
          <bdi>{email}</bdi>
        </UnstyledButton>
      </th>
      {columns.map((id) => {
        const { cell, title, isNumber } = columnOf(id);
        return (
          <td
            key={id}
            data-label={t(`column.${id}`)}
            data-column={id}
            data-number={isNumber}
            title={title?.(row, context)}
          >
            {cell(row, context)}
          </td>
        );
      })}
    </tr>
  );
});
