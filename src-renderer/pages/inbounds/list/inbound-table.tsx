import { Checkbox, Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CountedInbound } from '#contract/inbounds';
import { shownColumns } from '../../../ui/columns/column-choice.ts';
import { useInboundColumns, type InboundColumn } from './inbound-columns.ts';
import { InboundHead } from './inbound-head.tsx';
import { nameOf } from './inbound-kind.ts';
import { InboundMenu } from './verbs/inbound-menu.tsx';
import {
  ClientCount,
  EnableSwitch,
  Kind,
  NameButton,
  Place,
  RunsOn,
  Traffic,
  type InboundPartProps,
} from './inbound-parts.tsx';
import { NotRunning } from './not-running.tsx';
import type { InboundListProps } from './list-props.ts';
import { useServers } from '../use-servers.ts';

/** Names and kinds may wrap to two lines; figures stay on one. */
const FIGURES = { whiteSpace: 'nowrap' } as const;

/** Inbounds with kind, listening address and traffic. */
export function InboundTable(props: InboundListProps) {
  const { t } = useTranslation(['inbounds', 'words']);
  const { rows, actions, selected, onSelect, onOpen, nodeNames, choice, onChoose } = props;
  const columnChoice = useInboundColumns();
  const hasPlaces = useServers().size > 1 || nodeNames.size > 0;
  // With a single place, its name adds nothing.
  const columns = shownColumns(columnChoice).filter((column) => column !== 'node' || hasPlaces);
  const areAllSelected = rows.every(({ id }) => selected.has(id));
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table verticalSpacing={columnChoice.density === 'compact' ? 1 : 'xs'}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" w={44}>
              <Checkbox
                aria-label={t('selectAll')}
                checked={areAllSelected}
                indeterminate={selected.size > 0 && !areAllSelected}
                onChange={(event) => onSelect(rows, event.currentTarget.checked)}
              />
            </Table.Th>
            {(['enable', 'remark', ...columns] as const).map((column) => (
              <InboundHead key={column} column={column} choice={choice} onChoose={onChoose} />
            ))}
            <Table.Th scope="col">
              <VisuallyHidden>{t('words:actions')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((inbound: CountedInbound) => (
            <InboundRow
              key={inbound.id}
              inbound={inbound}
              actions={actions}
              columns={columns}
              nodeNames={nodeNames}
              isSelected={selected.has(inbound.id)}
              onSelect={(isSelected) => onSelect([inbound], isSelected)}
              onOpen={() => onOpen(inbound.id)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface InboundRowProps extends InboundPartProps {
  columns: readonly InboundColumn[];
}

function InboundRow({ inbound, actions, columns, isSelected, onSelect, onOpen, nodeNames }: InboundRowProps) {
  const { t } = useTranslation('words');
  const cells: Record<InboundColumn, ReactNode> = {
    kind: (
      <Table.Td key="kind">
        <Kind inbound={inbound} />
      </Table.Td>
    ),
    port: (
      <Table.Td key="port">
        <Place inbound={inbound} />
      </Table.Td>
    ),
    node: (
      <Table.Td key="node">
        <RunsOn inbound={inbound} nodeNames={nodeNames} />
      </Table.Td>
    ),
    clients: (
      <Table.Td key="clients" style={FIGURES}>
        <ClientCount inbound={inbound} />
      </Table.Td>
    ),
    traffic: (
      <Table.Td key="traffic" style={FIGURES}>
        <Traffic inbound={inbound} />
      </Table.Td>
    ),
  };
  return (
    <Table.Tr>
      <Table.Td>
        <Checkbox
          aria-label={t('selectNamed', { name: nameOf(inbound) })}
          checked={isSelected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td>
        <EnableSwitch inbound={inbound} actions={actions} />
      </Table.Td>
      <Table.Th scope="row">
        <NameButton inbound={inbound} onOpen={onOpen} />
        <NotRunning inbound={inbound} />
      </Table.Th>
      {columns.map((column) => cells[column])}
      <Table.Td ta="end">
        <InboundMenu inbound={inbound} actions={actions} />
      </Table.Td>
    </Table.Tr>
  );
}
