import { Badge, Checkbox, Progress, Text, UnstyledButton } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { SlimClientRow } from '#contract/clients';
import { useFormat } from '../../i18n/format.ts';
import { stateOf } from './client-state.ts';
import classes from './clients.module.css';
import { useExpiryText } from './use-expiry-text.ts';

const COLOURS = { active: 'teal', expiring: 'yellow', depleted: 'red', deactive: 'gray' };

interface ClientTableRowProps {
  row: SlimClientRow;
  sets: { online: ReadonlySet<string>; depleted: ReadonlySet<string>; expiring: ReadonlySet<string> };
  isCurrent: boolean;
  isSelected: boolean;
  onFocus: () => void;
  onToggle: (email: string) => void;
  onOpen: (email: string) => void;
}

export const ClientTableRow = memo(function ClientTableRow(props: ClientTableRowProps) {
  const { row, sets, isCurrent, isSelected, onFocus, onToggle, onOpen } = props;
  const { t } = useTranslation('clients');
  const format = useFormat();
  const expiryText = useExpiryText();
  const { email, totalGB: quota } = row;
  const used = row.traffic.up + row.traffic.down;
  const state = stateOf(row, sets);
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
        <UnstyledButton className={classes['email'] ?? ''} onClick={() => onOpen(email)}>
          <bdi>{email}</bdi>
        </UnstyledButton>
      </th>
      <td data-label={t('column.state')}>
        <Badge variant="light" color={COLOURS[state]} className={classes['badge'] ?? ''}>
          {t(`status.${state}`)}
        </Badge>{' '}
        {sets.online.has(email) && (
          <Badge variant="dot" color="teal" className={classes['badge'] ?? ''}>
            {t('status.online')}
          </Badge>
        )}
      </td>
      <td data-label={t('column.group')}>
        <bdi>{row.group}</bdi>
      </td>
      <td data-label={t('column.inbounds')}>{format.number(row.inboundIds.length)}</td>
      <td data-label={t('column.traffic')}>
        <Text size="sm">
          {t('usedOf', { used: format.bytes(used), quota: quota === 0 ? t('unlimited') : format.bytes(quota) })}
        </Text>
        {quota > 0 && (
          <Progress
            value={Math.min((used / quota) * 100, 100)}
            size="xs"
            transitionDuration={0}
            aria-label={t('column.traffic')}
          />
        )}
      </td>
      <td data-label={t('column.expiry')} title={row.expiryTime > 0 ? format.dateTime(row.expiryTime) : undefined}>
        {expiryText(row.expiryTime)}
      </td>
      <td data-label={t('column.comment')} className={classes['comment']}>
        <bdi>{row.comment}</bdi>
      </td>
    </tr>
  );
});
