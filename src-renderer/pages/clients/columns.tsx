import { Badge, Progress, UnstyledButton } from '@mantine/core';
import type { TFunction } from 'i18next';
import { Fragment, type ReactNode } from 'react';
import type { SlimClientRow } from '#contract/clients';
import type { Format } from '../../i18n/format.ts';
import type { ClientState } from './client-state.ts';
import classes from './clients.module.css';

const COLOURS = { active: 'teal', expiring: 'yellow', depleted: 'red', deactive: 'gray' };

/** What every cell is drawn with. */
export interface CellTools {
  format: Format;
  expiryText: (expiryTime: number) => string;
  t: TFunction<'clients'>;
  /** Names of inbounds by id; empty until they are known. */
  inboundNames: ReadonlyMap<number, string>;
  /** Opens where the traffic of a client came from. */
  onLedger: (email: string) => void;
}

/** The same, with how the client of the row stands. */
interface CellContext extends CellTools {
  state: ClientState;
  isOnline: boolean;
}

interface Column {
  /** The server's name for the order by this column; empty = it cannot be sorted by. */
  sort: string;
  /** First width, in CSS pixels. */
  width: number;
  isNumber?: boolean;
  /** Exact value, shown on hover. */
  title?: (row: SlimClientRow, context: CellContext) => string | undefined;
  cell: (row: SlimClientRow, context: CellContext) => ReactNode;
}

const usedBytes = ({ traffic }: SlimClientRow): number => traffic.up + traffic.down;

/** Every column after the e-mail, in its first order. */
export const COLUMNS = {
  state: { sort: 'enable', width: 160, cell: stateCell },
  group: { sort: '', width: 90, title: ({ group }) => group, cell: ({ group }) => <bdi>{group}</bdi> },
  inbounds: { sort: 'inboundIds', width: 130, title: inboundTitle, cell: inboundCell },
  traffic: { sort: 'traffic', width: 160, isNumber: true, cell: trafficCell },
  remaining: {
    sort: 'remaining',
    width: 120,
    isNumber: true,
    cell: (row, { format, t }) =>
      row.totalGB === 0 ? t('unlimited') : format.bytes(Math.max(0, row.totalGB - usedBytes(row))),
  },
  expiry: {
    sort: 'expiryTime',
    width: 120,
    title: ({ expiryTime }, { format }) => (expiryTime > 0 ? format.dateTime(expiryTime) : undefined),
    cell: ({ expiryTime }, { expiryText }) => expiryText(expiryTime),
  },
  limitIp: {
    sort: '',
    width: 100,
    isNumber: true,
    cell: ({ limitIp }, { format, t }) => (limitIp === 0 ? t('unlimited') : format.number(limitIp)),
  },
  comment: { sort: '', width: 120, title: ({ comment }) => comment, cell: ({ comment }) => <bdi>{comment}</bdi> },
  lastOnline: {
    sort: 'lastOnline',
    width: 130,
    title: ({ lastOnline }, { format }) => (lastOnline > 0 ? format.dateTime(lastOnline) : undefined),
    cell: ({ lastOnline }, { format, t }) => (lastOnline === 0 ? t('never') : format.relative(lastOnline, Date.now())),
  },
  created: {
    sort: 'createdAt',
    width: 130,
    title: ({ createdAt }, { format }) => format.dateTime(createdAt),
    cell: ({ createdAt }, { format }) => format.date(createdAt),
  },
  updated: {
    sort: 'updatedAt',
    width: 120,
    title: ({ updatedAt }, { format }) => format.dateTime(updatedAt),
    cell: ({ updatedAt }, { format }) => format.relative(updatedAt, Date.now()),
  },
} as const satisfies Record<string, Column>;

export type ColumnId = keyof typeof COLUMNS;
/** Every column that has a heading. */
export type HeadId = ColumnId | 'email';

const EMAIL: Column = { sort: 'email', width: 200, cell: ({ email }) => <bdi>{email}</bdi> };

/** A column under its general type: the table treats all alike. */
export const columnOf = (id: HeadId): Column => (id === 'email' ? EMAIL : COLUMNS[id]);

function stateCell(_row: SlimClientRow, { state, isOnline, t }: CellContext): ReactNode {
  return (
    <>
      <Badge variant="light" color={COLOURS[state]} className={classes['badge'] ?? ''}>
        {t(`status.${state}`)}
      </Badge>{' '}
      {isOnline && (
        <Badge variant="dot" color="teal" className={classes['badge'] ?? ''}>
          {t('status.online')}
        </Badge>
      )}
    </>
  );
}

/** Names that a cell shows before "+3". */
const NAMED_INBOUNDS = 2;

const namesOf = ({ inboundIds }: SlimClientRow, { inboundNames, format }: CellContext): string[] =>
  inboundIds.map((id) => inboundNames.get(id) ?? format.number(id));

function inboundTitle(row: SlimClientRow, context: CellContext): string {
  return namesOf(row, context).join(' · ');
}

function inboundCell(row: SlimClientRow, context: CellContext): ReactNode {
  const names = namesOf(row, context);
  const more = names.length - NAMED_INBOUNDS;
  return (
    <>
      {names.slice(0, NAMED_INBOUNDS).map((name, at) => (
        <Fragment key={row.inboundIds[at]}>
          <Badge variant="default" dir="auto" className={classes['chip'] ?? ''}>
            <bdi>{name}</bdi>
          </Badge>{' '}
        </Fragment>
      ))}
      {more > 0 && `+${context.format.number(more)}`}
    </>
  );
}

/** Full is red, nearly full is yellow; the figures beside say the same. */
const barColour = (share: number): string => (share >= 1 ? 'red' : share >= 0.9 ? 'yellow' : 'indigo');

function trafficCell(row: SlimClientRow, { format, t, onLedger }: CellContext): ReactNode {
  const { totalGB: quota } = row;
  const used = usedBytes(row);
  return (
    <>
      {/* Reached by keyboard through the drawer of the row. */}
      <UnstyledButton className={classes['figure'] ?? ''} tabIndex={-1} onClick={() => onLedger(row.email)}>
        {t('usedOf', { used: format.bytes(used), quota: quota === 0 ? t('unlimited') : format.bytes(quota) })}
      </UnstyledButton>
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
