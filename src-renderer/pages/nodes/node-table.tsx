import { Anchor, Switch, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Node } from '#contract/nodes';
import { useFormat } from '../../i18n/format.ts';
import { CardTable } from '../../ui/layout/card-table.tsx';
import { Named } from '../../ui/named.tsx';
import { TableHead } from '../../ui/layout/table-head.tsx';
import { OpenByName } from '../../ui/open-by-name.tsx';
import { NodeMenu } from './node-menu.tsx';
import { NodeStateView } from './node-state-view.tsx';
import { urlOf } from './node-state.ts';
import { treeOf } from './node-tree.ts';
import classes from './nodes.module.css';
import { useNodeActions, type NodeActions } from './use-node-actions.ts';

interface NodeTableProps {
  nodes: readonly Node[];
  onOpen: (id: string) => void;
  onEdit: (id: string) => void;
}

/** Nodes as a tree: the panels behind a node stand below it and can only be looked at. */
export function NodeTable({ nodes, ...open }: NodeTableProps) {
  const { t } = useTranslation('nodes');
  const actions = useNodeActions();
  const columns = (['name', 'state', 'versions', 'load', 'inbounds', 'clients', 'enable'] as const).map((column) =>
    t(`column.${column}`),
  );
  return (
    <CardTable minWidth={900}>
      <TableHead columns={columns} actions={t('actions')} />
      <Table.Tbody>
        {treeOf(nodes).map(({ node, key, parentName }) => (
          <NodeRow key={key} node={node} parentName={parentName} actions={actions} {...open} />
        ))}
      </Table.Tbody>
    </CardTable>
  );
}

interface NodeRowProps extends Omit<NodeTableProps, 'nodes'> {
  node: Node;
  parentName: string | null;
  actions: NodeActions;
}

function NodeRow({ node, parentName, actions, onOpen, onEdit }: NodeRowProps) {
  const { t } = useTranslation('nodes');
  const isOwn = parentName === null;
  const id = String(node.id);
  return (
    <Table.Tr>
      <Table.Td>
        <div className={classes['name']} data-behind={!isOwn}>
          {isOwn ? (
            <OpenByName name={node.name} onOpen={() => onOpen(id)} />
          ) : (
            <Text size="sm" fw={600}>
              <bdi>{node.name}</bdi>
            </Text>
          )}
          {parentName !== null && parentName !== '' && (
            <Text size="xs" c="dimmed">
              <Named sentence={(name) => t('behind', { name })} name={parentName} />
            </Text>
          )}
          <Text size="xs" c="dimmed" className={classes['address'] ?? ''}>
            <bdi>{urlOf(node)}</bdi>
          </Text>
        </div>
      </Table.Td>
      <Table.Td>
        <NodeStateView node={node} lines={2} />
      </Table.Td>
      <Table.Td>
        <Versions node={node} />
      </Table.Td>
      <Table.Td>{isOwn && <Load node={node} />}</Table.Td>
      <Table.Td data-label={t('column.inbounds')}>
        <InboundCount node={node} isOwn={isOwn} />
      </Table.Td>
      <Table.Td data-label={t('column.clients')}>
        <ClientCounts node={node} isOwn={isOwn} />
      </Table.Td>
      <Table.Td>
        {isOwn && (
          <Switch
            aria-label={t('toggle', { name: node.name })}
            checked={node.enable}
            onChange={(event) => void actions.setEnable(node, event.currentTarget.checked)}
          />
        )}
      </Table.Td>
      <Table.Td ta="end">
        {isOwn && <NodeMenu node={node} actions={actions} onOpen={() => onOpen(id)} onEdit={() => onEdit(id)} />}
      </Table.Td>
    </Table.Tr>
  );
}

function Versions({ node: { panelVersion, coreVersion } }: { node: Node }) {
  const { t } = useTranslation('nodes');
  return (
    <div className={classes['figures']}>
      {panelVersion !== '' && (
        <Text size="xs">
          <Named sentence={(name) => t('panelVersion', { version: name })} name={panelVersion} />
        </Text>
      )}
      {coreVersion !== '' && (
        <Text size="xs">
          <Named sentence={(name) => t('coreVersion', { version: name })} name={coreVersion} />
        </Text>
      )}
    </div>
  );
}

/** What the last probe measured; nothing while there is none. */
function Load({ node }: { node: Node }) {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  if (!node.enable || node.status !== 'online') return null;
  return (
    <div className={classes['figures']}>
      <Text size="xs">
        {t('load', {
          ms: format.number(node.latencyMs),
          cpu: format.percent(node.cpuPct),
          memory: format.percent(node.memPct),
        })}
      </Text>
      <Text size="xs">
        ↑ {format.rate(node.netUp)} · ↓ {format.rate(node.netDown)}
      </Text>
    </div>
  );
}

function InboundCount({ node, isOwn }: { node: Node; isOwn: boolean }) {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  const { inboundCount: count, id, name } = node;
  if (!isOwn || count === 0) return <>{format.number(count)}</>;
  return (
    <Anchor
      component={Link}
      to={`/panel/inbounds?node=${id}`}
      underline="always"
      aria-label={t('inboundsOf', { name, count })}
    >
      {format.number(count)}
    </Anchor>
  );
}

function ClientCounts({ node, isOwn }: { node: Node; isOwn: boolean }) {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  const { onlineCount, disabledCount, depletedCount } = node;
  // Who is on an inbound behind a node is counted at that node.
  const count = isOwn ? node.clientCount : node.activeCount + disabledCount + depletedCount;
  return (
    <div className={classes['figures']}>
      {t('onlineOf', { online: format.number(onlineCount), count: format.number(count) })}
      {disabledCount + depletedCount > 0 && (
        <Text size="xs" c="dimmed">
          {t('idle', { disabled: format.number(disabledCount), depleted: format.number(depletedCount) })}
        </Text>
      )}
    </div>
  );
}
