import { Anchor, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Plan } from '#contract/plans';
import { useFormat } from '../../i18n/format.ts';
import { CardTable } from '../../ui/layout/card-table.tsx';
import { PlanMenu } from './plan-menu.tsx';
import { usePlanWords } from './plan-words.ts';

interface PlanTableProps {
  rows: readonly Plan[];
  onEdit: (id: number) => void;
  onBring: (id: number) => void;
}

export function PlanTable({ rows, onEdit, onBring }: PlanTableProps) {
  const { t } = useTranslation(['plans', 'shell', 'words']);
  const format = useFormat();
  const words = usePlanWords();
  return (
    <CardTable minWidth={520} columns={[t('name'), t('terms'), t('shell:nav.clients')]} actions={t('words:actions')}>
      {rows.map((plan) => (
        <Table.Tr key={plan.id}>
          <Table.Th scope="row">
            <Anchor component="button" type="button" fw={600} ta="start" onClick={() => onEdit(plan.id)}>
              <bdi>{plan.name}</bdi>
            </Anchor>
          </Table.Th>
          <Table.Td>{words(plan)}</Table.Td>
          <Table.Td data-label={t('shell:nav.clients')}>
            <Anchor component={Link} to={`/panel/clients?plan=${plan.id}`}>
              {format.number(plan.clientCount)}
            </Anchor>
          </Table.Td>
          <Table.Td ta="end">
            <PlanMenu plan={plan} onEdit={() => onEdit(plan.id)} onBring={() => onBring(plan.id)} />
          </Table.Td>
        </Table.Tr>
      ))}
    </CardTable>
  );
}
