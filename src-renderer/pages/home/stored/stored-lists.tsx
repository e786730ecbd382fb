import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { StoredHost, StoredInbound, StoredNode, StoredSetting } from '../../../../src-main/bridge/panels.ts';
import { useFormat } from '../../../i18n/format.ts';
import { TableHead } from '../../../ui/layout/table-head.tsx';
import { known } from '../panels/panel-tile.tsx';

interface ListProps<T> {
  rows: readonly T[];
  columns: readonly string[];
  keyOf: (row: T) => string;
  cells: (row: T) => ReactNode[];
}

function List<T>({ rows, columns, keyOf, cells }: ListProps<T>) {
  const { t } = useTranslation('home');
  if (rows.length === 0) return <Text c="dimmed">{t('nothingHere')}</Text>;
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table>
        <TableHead columns={columns} />
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {cells(row).map((cell, index) =>
                index === 0 ? (
                  <Table.Th key={columns[index]} scope="row">
                    {cell}
                  </Table.Th>
                ) : (
                  <Table.Td key={columns[index]}>{cell}</Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

export function StoredInbounds({ rows }: { rows: readonly StoredInbound[] }) {
  const { t } = useTranslation(['home', 'words', 'shell']);
  const format = useFormat();
  return (
    <List
      rows={rows}
      columns={[
        t('words:name'),
        t('words:protocol'),
        t('words:port'),
        t('shell:nav.clients'),
        t('stored.used'),
        t('stored.on'),
      ]}
      keyOf={({ id }) => String(id)}
      cells={({ name, protocol, port, clientCount, usedBytes, totalBytes, enable }) => [
        <bdi key="name">{name}</bdi>,
        protocol,
        String(port),
        known(clientCount, format.number),
        totalBytes === 0
          ? format.bytes(usedBytes)
          : t('stored.of', { used: format.bytes(usedBytes), total: format.bytes(totalBytes) }),
        enable ? t('words:yes') : t('words:no'),
      ]}
    />
  );
}

export function StoredHosts({ rows }: { rows: readonly StoredHost[] }) {
  const { t } = useTranslation(['home', 'words']);
  return (
    <List
      rows={rows}
      columns={[t('words:name'), t('words:address'), t('words:port'), t('stored.sni')]}
      keyOf={({ id }) => String(id)}
      cells={({ name, address, port, sni }) => [
        <bdi key="name">{name}</bdi>,
        <bdi key="address">{address}</bdi>,
        port === 0 ? '–' : String(port),
        <bdi key="sni">{sni}</bdi>,
      ]}
    />
  );
}

export function StoredNodes({ rows }: { rows: readonly StoredNode[] }) {
  const { t } = useTranslation(['home', 'words']);
  return (
    <List
      rows={rows}
      columns={[t('words:name'), t('words:address'), t('words:port'), t('words:state')]}
      keyOf={({ id }) => String(id)}
      cells={({ name, address, port, status }) => [
        <bdi key="name">{name}</bdi>,
        <bdi key="address">{address}</bdi>,
        String(port),
        status === 'online' || status === 'offline' ? t(`nodeStatus.${status}`) : status,
      ]}
    />
  );
}

export function StoredSettings({ rows }: { rows: readonly StoredSetting[] }) {
  const { t } = useTranslation(['home', 'words']);
  return (
    <List
      rows={rows}
      columns={[t('stored.key'), t('words:value')]}
      keyOf={({ key }) => key}
      cells={({ key, value }) => [<bdi key="key">{key}</bdi>, <bdi key="value">{value}</bdi>]}
    />
  );
}
