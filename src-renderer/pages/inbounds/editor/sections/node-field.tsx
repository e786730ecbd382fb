import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { failureOf } from '../../../../api/use-read.ts';
import { useNodeNames, useNodes } from '../../../nodes/use-nodes.ts';
import { placed, useEditing, useIssueAt, useTextAt, useValueAt } from '../parts/draft-context.tsx';
import { ORDER } from '../parts/fields.tsx';

/** Protocols that serve their own machine or network, so that they never go to a node. */
const LOCAL_ONLY = ['http', 'mixed', 'tunnel'];
/** The option for this panel's own core. */
const HERE = '';

/** Which panel runs the inbound: this one or a node, for good. Hidden without nodes. @param ownId 0 = a new one */
export function NodeField({ ownId }: { ownId: number }) {
  const { t } = useTranslation(['inboundEditor', 'inbounds']);
  const { edit, current } = useEditing();
  const protocol = useTextAt('protocol');
  const nodeId = useValueAt('nodeId');
  const issue = useIssueAt('nodeId');
  const names = useNodeNames();
  const failure = failureOf(useNodes());
  const chosen = typeof nodeId === 'number' && nodeId > 0 ? String(nodeId) : HERE;
  // Not hidden then: an inbound meant for a node would be made here, for good.
  if (names.size === 0 && chosen === HERE && failure === undefined) return null;
  const nodes = new Map([...names].map(([id, name]) => [String(id), name]));
  if (chosen !== HERE && !nodes.has(chosen)) nodes.set(chosen, `#${chosen}`);
  const isLocal = LOCAL_ONLY.includes(protocol);
  const hint = ownId !== 0 ? 'nodeFixed' : isLocal ? 'nodeLocalOnly' : 'node';
  return (
    <Select
      label={t('field.node')}
      wrapperProps={placed('nodeId')}
      description={t(`hint.${hint}`)}
      inputWrapperOrder={ORDER}
      data={[{ value: HERE, label: t('inbounds:here') }, ...[...nodes].map(([value, label]) => ({ value, label }))]}
      value={isLocal ? HERE : chosen}
      allowDeselect={false}
      disabled={ownId !== 0 || isLocal}
      error={issue ?? failure}
      onChange={(value) => {
        const node = value === null || value === HERE ? null : Number(value);
        edit('nodeId', node);
        // The choice of a server is hidden then, and would be refused.
        if (node !== null && current()['serverId'] !== undefined) edit('serverId', null);
      }}
    />
  );
}
