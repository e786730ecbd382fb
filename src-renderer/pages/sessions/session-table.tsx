import { ActionIcon, Anchor, Checkbox, Group, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconPlugConnectedX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { SORTS, type LiveSession } from '#contract/liveSessions';
import { useFormat } from '../../i18n/format.ts';
import { CardTable } from '../../ui/layout/card-table.tsx';
import { Country } from '../../ui/country/country.tsx';
import { useCountries } from '../../ui/country/use-countries.ts';
import { Chip } from '../../ui/palette/chip.tsx';
import { kindTone } from '../../ui/palette/tones.ts';
import { shownColumns } from '../../ui/columns/column-choice.ts';
import { placeName } from './place-name.ts';
import { useSessionColumns, type SessionColumn } from './session-columns.ts';
import classes from './sessions.module.css';
import type { SessionsAddress } from './sessions-address.ts';

type Column = 'email' | SessionColumn;
/** Values listed in a cell before "+3". */
const NAMED = 2;

interface SessionTableProps {
  items: readonly LiveSession[];
  /** The panel's clock, ms since the epoch. */
  now: number;
  address: SessionsAddress;
  onChange: (part: Partial<SessionsAddress>) => void;
  selected: ReadonlySet<string>;
  onSelect: (emails: readonly string[], isSelected: boolean) => void;
  onEnd: (email: string) => void;
}

/** A page of sessions: a line for each client and panel that serves it. */
export function SessionTable({ items, now, address, onChange, selected, onSelect, onEnd }: SessionTableProps) {
  const { t } = useTranslation(['sessions', 'words']);
  const choice = useSessionColumns();
  const columns = shownColumns(choice);
  const emails = items.map(({ email }) => email);
  const countries = useCountries(items.flatMap(({ addresses }) => addresses.slice(0, NAMED).map(({ ip }) => ip)));
  const ticked = emails.filter((email) => selected.has(email)).length;
  return (
    <CardTable minWidth={columns.length * 110 + 240} density={choice.density}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" w={36}>
            <Checkbox
              aria-label={t('selectAll')}
              checked={ticked === emails.length}
              indeterminate={ticked > 0 && ticked < emails.length}
              onChange={({ currentTarget }) => onSelect(emails, currentTarget.checked)}
            />
          </Table.Th>
          {(['email', ...columns] as const).map((column) => (
            <Head key={column} column={column} address={address} onChange={onChange} />
          ))}
          <Table.Th scope="col">
            <VisuallyHidden>{t('words:actions')}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map((row) => (
          <SessionRow
            key={`${row.email} ${row.guid}`}
            row={row}
            now={now}
            countries={countries}
            columns={columns}
            isSelected={selected.has(row.email)}
            onSelect={(isSelected) => onSelect([row.email], isSelected)}
            onEnd={() => onEnd(row.email)}
          />
        ))}
      </Table.Tbody>
    </CardTable>
  );
}

function Head({ column, address, onChange }: { column: Column } & Pick<SessionTableProps, 'address' | 'onChange'>) {
  const { t } = useTranslation('sessions');
  const name = t(`column.${column}`);
  if (!(SORTS as readonly string[]).includes(column)) return <Table.Th scope="col">{name}</Table.Th>;
  const isHere = (address.sort || 'email') === column;
  const isDown = address.order === 'descend';
  const Mark = isDown ? IconChevronDown : IconChevronUp;
  // Fastest and newest first.
  const first = column === 'email' ? '' : 'descend';
  return (
    <Table.Th scope="col" aria-sort={isHere ? (isDown ? 'descending' : 'ascending') : 'none'}>
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        c="inherit"
        onClick={() => onChange({ sort: column, order: isHere ? (isDown ? '' : 'descend') : first })}
      >
        {name}
        {isHere && <Mark size={14} aria-hidden className={classes['mark'] ?? ''} />}
      </UnstyledButton>
    </Table.Th>
  );
}

interface SessionRowProps {
  row: LiveSession;
  now: number;
  countries: Readonly<Record<string, string>>;
  columns: readonly SessionColumn[];
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  onEnd: () => void;
}

function SessionRow({ row, now, countries, columns, isSelected, onSelect, onEnd }: SessionRowProps) {
  const { t } = useTranslation('sessions');
  const format = useFormat();
  const { email, addresses, inbounds, since, up, down } = row;
  const rate = (value: number | null): string => (value === null ? '—' : format.rate(value));
  const cell = (column: Column) => ({ 'data-label': t(`column.${column}`) });
  const cells: Record<SessionColumn, ReactNode> = {
    addresses: (
      <Table.Td key="addresses" {...cell('addresses')} title={addresses.map(({ ip }) => ip).join('\n')}>
        {addresses.length === 0
          ? t('unknown')
          : addresses.slice(0, NAMED).map(({ ip }) => (
              <span key={ip} className={classes['address']}>
                <Country code={countries[ip]} />
                <bdi dir="ltr">{ip}</bdi>
              </span>
            ))}
        {addresses.length > NAMED && `+${format.number(addresses.length - NAMED)}`}
      </Table.Td>
    ),
    inbounds: (
      <Table.Td key="inbounds" {...cell('inbounds')}>
        <span className={classes['chips']}>
          {inbounds.slice(0, NAMED).map(({ id, name, protocol }) => (
            <Chip key={id} tone={kindTone(protocol)}>
              <bdi>{name}</bdi>
            </Chip>
          ))}
          {inbounds.length > NAMED && `+${format.number(inbounds.length - NAMED)}`}
        </span>
      </Table.Td>
    ),
    place: (
      <Table.Td key="place" {...cell('place')}>
        <bdi>{placeName(row, t)}</bdi>
      </Table.Td>
    ),
    since: (
      <Table.Td key="since" {...cell('since')} title={since === 0 ? undefined : format.dateTime(since)}>
        {since === 0 ? t('longer') : format.stopwatch((now - since) / 1000)}
      </Table.Td>
    ),
    up: (
      <Table.Td key="up" {...cell('up')} className={classes['rate']}>
        {rate(up)}
      </Table.Td>
    ),
    down: (
      <Table.Td key="down" {...cell('down')} className={classes['rate']}>
        {rate(down)}
      </Table.Td>
    ),
  };
  return (
    <Table.Tr>
      <Table.Th scope="row" colSpan={2}>
        <Group gap="sm" wrap="nowrap">
          <Checkbox
            aria-label={t('select', { email })}
            checked={isSelected}
            onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
          />
          <Anchor component={Link} to={`/panel/clients?client=${encodeURIComponent(email)}`} fw={600} truncate>
            <bdi>{email}</bdi>
          </Anchor>
        </Group>
      </Table.Th>
      {columns.map((column) => cells[column])}
      <Table.Td ta="end">
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={t('endOne', { email })} onClick={onEnd}>
          <IconPlugConnectedX size={18} />
        </ActionIcon>
      </Table.Td>
    </Table.Tr>
  );
}
