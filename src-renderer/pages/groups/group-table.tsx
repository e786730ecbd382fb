import { Anchor, Table } from '@mantine/core';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Group } from '#contract/groups';
import { useFormat } from '../../i18n/format.ts';
import { shownColumns } from '../../ui/columns/column-choice.ts';
import { TableHead } from '../../ui/layout/table-head.tsx';
import { useDialogParam } from '../../ui/address/use-dialog-param.ts';
import { partTone } from '../../ui/palette/tones.ts';
import { useGroupColumns, type GroupColumn } from './group-columns.ts';
import { GroupMenu } from './group-menu.tsx';
import { GroupName } from './group-name.tsx';
import classes from './groups.module.css';

interface GroupTableProps {
  rows: readonly Group[];
  onMembers: (name: string) => void;
}

export function GroupTable({ rows, onMembers }: GroupTableProps) {
  const { t } = useTranslation(['groups', 'words']);
  const format = useFormat();
  const most = Math.max(1, ...rows.map(({ trafficUsed }) => trafficUsed));
  const renamed = useDialogParam('rename');
  /** The group whose name has the focus next. */
  const [ended, setEnded] = useState<string | null>(null);
  const handleFocused = useCallback(() => setEnded(null), []);
  const latest = useRef(renamed);
  useEffect(() => {
    latest.current = renamed;
  });
  const handleEnd = (name: string, newName = name): void => {
    // Another rename may have begun while this one was stored.
    if (latest.current.value !== name) return;
    setEnded(newName);
    latest.current.close();
  };
  const choice = useGroupColumns();
  const columns = shownColumns(choice);
  const cellsOf = (group: Group): Record<GroupColumn, ReactNode> => ({
    members: (
      <Table.Td key="members">
        <Anchor component={Link} to={`/panel/clients?group=${encodeURIComponent(group.name)}`}>
          {format.number(group.clientCount)}
        </Anchor>
      </Table.Td>
    ),
    traffic: (
      <Table.Td key="traffic">
        {format.bytes(group.trafficUsed)}
        <div className={classes['share']} data-tone={partTone(0)} aria-hidden>
          <div style={{ inlineSize: `${(group.trafficUsed / most) * 100}%` }} />
        </div>
      </Table.Td>
    ),
  });
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table highlightOnHover verticalSpacing={choice.density === 'compact' ? 1 : 'xs'}>
        <TableHead columns={(['name', ...columns] as const).map((column) => t(column))} actions={t('words:actions')} />
        <Table.Tbody>
          {rows.map((group) => (
            <Table.Tr key={group.name}>
              <Table.Th scope="row">
                <GroupName
                  name={group.name}
                  isEditing={renamed.value === group.name}
                  takesFocus={ended === group.name}
                  onFocused={handleFocused}
                  onEdit={() => renamed.open(group.name)}
                  onEnd={(newName) => handleEnd(group.name, newName)}
                />
              </Table.Th>
              {columns.map((column) => cellsOf(group)[column])}
              <Table.Td ta="end">
                <GroupMenu
                  group={group}
                  onRename={() => renamed.open(group.name)}
                  onMembers={() => onMembers(group.name)}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
