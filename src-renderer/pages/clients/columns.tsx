import { Badge, Progress, Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import type { SlimClientRow } from '#contract/clients';
import type { Format } from '../../i18n/format.ts';
import { stateOf } from './client-state.ts';
import classes from './clients.module.css';

const COLOURS = { active: 'teal', expiring: 'yellow', depleted: 'red', deactive: 'gray' };

/** E-mails of the clients in each state, from the summary of the list. */
export interface StateSets {
  online: ReadonlySet<string>;
  depleted: ReadonlySet<string>;
  expiring: ReadonlySet<string>;
}

/** What a cell is drawn with. */
export interface CellContext {
  sets: StateSets;
  format: Format;
  expiryText: (expiryTime: number) => string;
  t: TFunction<'clients'>;
}

interface Column {
  /** The server's name for the order by this column; empty = it cannot be sorted by. */
  sort: string;
  isNumber?: boolean;
  /** Exact value, shown on hover. */
  title?: (row: SlimClientRow, context: CellContext) => string | undefined;
  cell: (row: SlimClientRow, context: CellContext) => ReactNode;
}

const usedBytes = ({ traffic }: SlimClientRow): number => traffic.up + traffic.down;

/** Every column after the e-mail, in its first order. */
export const COLUMNS = {
  state: { sort: 'enable', cell: stateCell },
  group: { sort: '', cell: ({ group }) => <bdi>{group}</bdi> },
  inbounds: {
    sort: 'inboundIds',
    isNumber: true,
    cell: ({ inboundIds }, { format }) => format.number(inboundIds.length),
  },
  traffic: { sort: 'traffic', isNumber: true, cell: trafficCell },
  remaining: {
    sort: 'remaining',
    isNumber: true,
    cell: (row, { format, t }) =>
      row.totalGB === 0 ? t('unlimited') : format.bytes(Math.max(0, row.totalGB - usedBytes(row))),
  },
  expiry: {
    sort: 'expiryTime',
    title: ({ expiryTime }, { format }) => (expiryTime > 0 ? format.dateTime(expiryTime) : undefined),
    cell: ({ expiryTime }, { expiryText }) => expiryText(expiryTime),
  },
  limitIp: {
    sort: '',
    isNumber: true,
    cell: ({ limitIp }, { format, t }) => (limitIp === 0 ? t('unlimited') : format.number(limitIp)),
  },
  comment: { sort: '', cell: ({ comment }) => <bdi>{comment}</bdi> },
  created: {
    sort: 'createdAt',
    title: ({ createdAt }, { format }) => format.dateTime(createdAt),
    cell: ({ createdAt }, { format }) => format.date(createdAt),
  },
  updated: {
    sort: 'updatedAt',
    title: ({ updatedAt }, { format }) => format.dateTime(updatedAt),
    cell: ({ updatedAt }, { format }) => format.relative(updatedAt, Date.now()),
  },
} as const satisfies Record<string, Column>;

export type ColumnId = keyof typeof COLUMNS;

/** A column under its general type: the table treats all alike. */
export const columnOf = (id: ColumnId): Column => COLUMNS[id];

function stateCell(row: SlimClientRow, { sets, t }: CellContext): ReactNode {
  const state = stateOf(row, sets);
  return (
    <>
      <Badge variant="light" color={COLOURS[state]} className={classes['badge'] ?? ''}>
        {t(`status.${state}`)}
      </Badge>{' '}
      {sets.online.has(row.email) && (
        <Badge variant="dot" color="teal" className={classes['badge'] ?? ''}>
          {t('status.online')}
        </Badge>
      )}
    </>
  );
}

/** Full is red, nearly full is yellow; the figures beside say the same. */
const barColour = (share: number): string => (share >= 1 ? 'red' : share >= 0.9 ? 'yellow' : 'indigo');

function trafficCell(row: SlimClientRow, { format, t }: CellContext): ReactNode {
  const { totalGB: quota } = row;
  const used = usedBytes(row);
  return (
    <>
      <Text size="sm">
        {t('usedOf', { used: format.bytes(used), quota: quota === 0 ? t('unlimited') : format.bytes(quota) })}
      </Text>
      {quota > 0 && (
        <Progress
          value={Math.min((used / quota) * 100, 100)}
          size={4}
          mt={3}
          color={barColour(used / quota)}
          transitionDuration={0}
          aria-label={t('column.traffic')}
        />
      )}
    </>
  );
}
