import { Checkbox, Table, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CountedInbound } from '#contract/inbounds';
import { COLUMNS, InboundHead } from './inbound-head.tsx';
import { nameOf } from './inbound-kind.ts';
import { InboundMenu } from './inbound-menu.tsx';
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

/** Names and kinds may take two lines; figures are read in one. */
const FIGURES = { whiteSpace: 'nowrap' } as const;

/** Inbounds with what they are, where they listen and what went through them. */
export function InboundTable(props: InboundListProps) {
  const { t } = useTranslation('inbounds');
  const { rows, actions, selected, onSelect, onOpen, nodeNames, choice, onChoose } = props;
  const areAllSelected = rows.every(({ id }) => selected.has(id));
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table>
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
            {COLUMNS.filter((column) => column !== 'node' || nodeNames.size > 0).map((column) => (
              <InboundHead key={column} column={column} choice={choice} onChoose={onChoose} />
            ))}
            <Table.Th scope="col">
              <VisuallyHidden>{t('actions')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((inbound: CountedInbound) => (
            <InboundRow
              key={inbound.id}
              inbound={inbound}
              actions={actions}
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

function InboundRow({ inbound, actions, isSelected, onSelect, onOpen, nodeNames }: InboundPartProps) {
  const { t } = useTranslation('inbounds');
  return (
    <Table.Tr>
      <Table.Td>
        <Checkbox
          aria-label={t('select', { name: nameOf(inbound) })}
          checked={isSelected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td>
        <EnableSwitch inbound={inbound} actions={actions} />
      </Table.Td>
      <Table.Td>
        <NameButton inbound={inbound} onOpen={onOpen} />
        <NotRunning inbound={inbound} />
      </Table.Td>
      <Table.Td>
        <Kind inbound={inbound} />
      </Table.Td>
      <Table.Td>
        <Place inbound={inbound} />
      </Table.Td>
      {nodeNames.size > 0 && (
        <Table.Td>
          <RunsOn inbound={inbound} nodeNames={nodeNames} />
        </Table.Td>
      )}
      <Table.Td style={FIGURES}>
        <ClientCount inbound={inbound} />
      </Table.Td>
      <Table.Td style={FIGURES}>
        <Traffic inbound={inbound} />
      </Table.Td>
      <Table.Td ta="end">
        <InboundMenu inbound={inbound} actions={actions} />
      </Table.Td>
    </Table.Tr>
  );
}
