import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import type { SlimClientRow } from '#contract/clients/list';
import type { Format } from '../../../../i18n/format.ts';
import { serverNow } from '../../../../stores/server-clock.ts';
import { stateTone } from '../../../../ui/palette/tones.ts';
import type { ClientState } from '../../client-state.ts';
import classes from '../../clients.module.css';
import { UsedBar } from '../../used-bar.tsx';
import { usedText } from '../../used-text.ts';

/** What every cell is drawn with. */
export interface CellTools {
  format: Format;
  expiryText: (expiryTime: number) => string;
  t: TFunction<'clients'>;
  /** Names of inbounds by id; empty until they are known. */
  inboundNames: ReadonlyMap<number, string>;
  /** Names of plans by id; empty until they are known. */
  planNames: ReadonlyMap<number, string>;
  /** Opens where the traffic of a client came from. */
  onLedger: (email: string) => void;
  /** Names the button that opens the menu of a client. */
  menuLabel: (email: string) => string;
}

/** The same, with how the client of the row stands. */
export interface CellContext extends CellTools {
  state: ClientState;
  isOnline: boolean;
}

interface Column {
  /** The server's name for the order by this column; empty = it cannot be sorted by. */
  sort: string;
  /** What a row shows in words: as much of it as the widest one needs is the width of the column. */
  text: (row: SlimClientRow, context: CellContext) => string;
  /** What stands around the words, in CSS pixels. */
  extraPx?: number;
  /** Widths between which it may vary with its words, in CSS pixels; nothing of it is ever cut off without `least`. */
  least?: number;
  most?: number;
  /** How bold its words are. */
  weight?: number;
  isNumber?: boolean;
  /** Exact value, shown on hover. */
  title?: (row: SlimClientRow, context: CellContext) => string | undefined;
  /** Drawn with plain elements: a row that scrolls into view has only a frame of time. Without it the words are the cell. */
  cell?: (row: SlimClientRow, context: CellContext) => ReactNode;
}

const usedBytes = ({ traffic }: SlimClientRow): number => traffic.up + traffic.down;

/** Every column after the e-mail, in its first order. */
export const COLUMNS = {
  state: { sort: 'enable', text: stateText, extraPx: 36, cell: stateCell },
  group: {
    sort: '',
    least: 80,
    most: 200,
    text: ({ group }) => group,
    title: ({ group }) => group,
    cell: ({ group }) => <bdi>{group}</bdi>,
  },
  plan: {
    sort: '',
    least: 80,
    most: 200,
    text: ({ planId }, { planNames }) => planNames.get(planId) ?? '',
    title: ({ planId }, { planNames }) => planNames.get(planId),
    cell: ({ planId }, { planNames }) => <bdi>{planNames.get(planId)}</bdi>,
  },
  inbounds: {
    sort: 'inboundIds',
    least: 130,
    most: 300,
    extraPx: 36,
    text: inboundText,
    title: inboundTitle,
    cell: inboundCell,
  },
  traffic: { sort: 'traffic', isNumber: true, text: trafficText, cell: trafficCell },
  remaining: {
    sort: 'remaining',
    isNumber: true,
    text: (row, { format, t }) =>
      row.totalGB === 0 ? t('unlimited') : format.bytes(Math.max(0, row.totalGB - usedBytes(row))),
  },
  expiry: {
    sort: 'expiryTime',
    title: ({ expiryTime }, { format }) => (expiryTime > 0 ? format.dateTime(expiryTime) : undefined),
    text: ({ expiryTime }, { expiryText }) => expiryText(expiryTime),
  },
  limitIp: {
    sort: '',
    isNumber: true,
    text: ({ limitIp }, { format, t }) => (limitIp === 0 ? t('unlimited') : format.number(limitIp)),
  },
  comment: {
    sort: '',
    least: 80,
    most: 320,
    text: ({ comment }) => comment,
    title: ({ comment }) => comment,
    cell: ({ comment }) => <bdi>{comment}</bdi>,
  },
  lastOnline: {
    sort: 'lastOnline',
    title: ({ lastOnline }, { format }) => (lastOnline > 0 ? format.dateTime(lastOnline) : undefined),
    text: ({ lastOnline }, { format, t }) => (lastOnline === 0 ? t('never') : format.relative(lastOnline, serverNow())),
  },
  created: {
    sort: 'createdAt',
    title: ({ createdAt }, { format }) => format.dateTime(createdAt),
    text: ({ createdAt }, { format }) => format.date(createdAt),
  },
  updated: {
    sort: 'updatedAt',
    title: ({ updatedAt }, { format }) => format.dateTime(updatedAt),
    text: ({ updatedAt }, { format }) => format.relative(updatedAt, serverNow()),
  },
} as const satisfies Record<string, Column>;

export type ColumnId = keyof typeof COLUMNS;
/** Every column that has a heading. */
export type HeadId = ColumnId | 'email';

const EMAIL: Column = { sort: 'email', least: 184, most: 360, weight: 600, text: ({ email }) => email };

/** A column under its general type: the table treats all alike. */
export const columnOf = (id: HeadId): Column => (id === 'email' ? EMAIL : COLUMNS[id]);

function stateText(_row: SlimClientRow, { state, isOnline, t }: CellContext): string {
  return `${t(`status.${state}`)} ${isOnline ? t('status.online') : ''}`;
}

function stateCell(_row: SlimClientRow, { state, isOnline, t }: CellContext): ReactNode {
  return (
    <>
      <span className={classes['badge']} data-tone={stateTone(state)}>
        {t(`status.${state}`)}
      </span>{' '}
      {isOnline && (
        <span className={classes['badge']} data-dot data-tone={stateTone('online')}>
          {t('status.online')}
        </span>
      )}
    </>
  );
}

/** Names that a cell shows before "+3". */
const NAMED_INBOUNDS = 2;

const namesOf = ({ inboundIds }: SlimClientRow, { inboundNames, format }: CellTools): string[] =>
  inboundIds.map((id) => inboundNames.get(id) ?? format.number(id));

function inboundTitle(row: SlimClientRow, context: CellContext): string {
  return namesOf(row, context).join(' · ');
}

function inboundText(row: SlimClientRow, tools: CellTools): string {
  const names = namesOf(row, tools);
  // Both chips are as wide as the wider one may need.
  const widest = Math.max(0, ...names.slice(0, NAMED_INBOUNDS).map(({ length }) => length));
  return `${'n'.repeat(widest * Math.min(names.length, NAMED_INBOUNDS))}${names.length > NAMED_INBOUNDS ? ' +99' : ''}`;
}

function inboundCell(row: SlimClientRow, context: CellContext): ReactNode {
  const names = namesOf(row, context);
  const more = names.length - NAMED_INBOUNDS;
  return (
    <span className={classes['chips']}>
      {names.slice(0, NAMED_INBOUNDS).map((name, at) => (
        <bdi key={row.inboundIds[at]} className={classes['chip']}>
          {name}
        </bdi>
      ))}
      {more > 0 && `+${context.format.number(more)}`}
    </span>
  );
}

function trafficText(row: SlimClientRow, tools: CellTools): string {
  return usedText(usedBytes(row), row.totalGB, tools);
}

function trafficCell(row: SlimClientRow, context: CellContext): ReactNode {
  return (
    <>
      {/* Reached by keyboard through the drawer of the row. */}
      <button type="button" className={classes['figure']} tabIndex={-1} onClick={() => context.onLedger(row.email)}>
        {trafficText(row, context)}
      </button>
      <UsedBar usedBytes={usedBytes(row)} quotaBytes={row.totalGB} label={context.t('column.traffic')} />
    </>
  );
}
