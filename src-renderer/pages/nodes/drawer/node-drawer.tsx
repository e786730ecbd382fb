import { Alert, Anchor, Button, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { listCountedInbounds } from '#contract/inbounds';
import type { Node } from '#contract/nodes';
import { keys } from '../../../api/keys.ts';
import { NODE_SPEEDS, type NodeTraffic } from '../../../api/live-rows.ts';
import { useRead } from '../../../api/use-read.ts';
import { useFormat } from '../../../i18n/format.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { NodeFacts } from './node-facts.tsx';
import { stateOf } from '../node-state.ts';
import { NodeStateView } from '../node-state-view.tsx';
import { PlanNotices } from '../plan-notices.tsx';
import { useNodeActions } from '../use-node-actions.ts';
import { later } from '../../../ui/notices/later.tsx';

/** Seconds over which the wire's traffic values are counted. */
const WINDOW_SEC = 5;

const SubjectTraffic = later(async () => (await import('../../traffic/subject-traffic.tsx')).SubjectTraffic);
const NodeHistory = later(async () => (await import('./node-history.tsx')).NodeHistory);

interface NodeDrawerProps {
  id: number;
  nodes: UseQueryResult<Node[]>;
  onEdit: (id: string) => void;
  onClose: () => void;
}

/** One node: its state and actions, its inbounds, and its figures over the last hours. */
export function NodeDrawer({ id, nodes, onEdit, onClose }: NodeDrawerProps) {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  const actions = useNodeActions();
  const find = (rows: readonly Node[]): Node | undefined => rows.find((node) => node.id === id && id > 0);
  const name = find(nodes.data ?? [])?.name ?? `#${id}`;
  return (
    <Drawer opened onClose={onClose} size="xl" title={<bdi>{name}</bdi>}>
      <QueryView query={nodes}>
        {(rows) => {
          const node = find(rows);
          if (node === undefined) return <Text>{t('gone')}</Text>;
          return (
            <Stack>
              <Group gap="xs">
                <Button onClick={() => onEdit(String(id))}>{t('edit')}</Button>
                <Button variant="default" disabled={!node.enable} onClick={() => void actions.probe(node)}>
                  {t('probe.action')}
                </Button>
                <Button variant="default" component={Link} disabled={!node.enable} to={`/panel/nodes/${id}/drift`}>
                  {t('drift.open')}
                </Button>
              </Group>
              <NodeStateView node={node} t={t} format={format} />
              <PlanNotices node={node} />
              <Remedies node={node} />
              <NodeFacts node={node} />
              <NodeInbounds id={id} />
              <Suspense fallback={null}>
                <NodeHistory id={id} />
                {node.transitive !== true && <SubjectTraffic subject="node" name={String(id)} title={name} />}
              </Suspense>
            </Stack>
          );
        }}
      </QueryView>
    </Drawer>
  );
}

/** Actions that fix what is wrong. */
function Remedies({ node }: { node: Node }) {
  const { t } = useTranslation('nodes');
  const state = stateOf(node);
  return (
    <>
      {state !== 'online' && (
        <Alert color={state === 'disabled' || state === 'unknown' ? 'gray' : 'yellow'} role="note">
          {t(`remedy.${state}`)}
        </Alert>
      )}
      {node.syncError !== '' && (
        <Alert color="yellow" role="note">
          {t('remedy.refused')}
        </Alert>
      )}
    </>
  );
}

function NodeInbounds({ id }: { id: number }) {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  const { data: speeds } = useQuery({
    queryKey: NODE_SPEEDS,
    queryFn: (): readonly NodeTraffic[] => [],
    // Only the stream has this value.
    enabled: false,
  });
  const speedOf = (tag: string): string => {
    const moved = speeds?.find((each) => each.tag === tag);
    if (moved === undefined) return '';
    const [up, down] = [moved.up, moved.down].map((bytes) => format.bytes(bytes / WINDOW_SEC));
    return ` · ${t('inbounds.speed', { up, down })}`;
  };
  const inbounds = useRead(listCountedInbounds, {}, [...keys.inbounds, 'counted'], {
    select: (rows) => rows.filter(({ nodeId }) => nodeId === id),
  });
  return (
    <Stack gap="xs" component="section">
      <Group justify="space-between">
        <Title order={3} size="h5">
          {t('inbounds.title')}
        </Title>
        <Anchor component={Link} size="sm" to={`/panel/inbounds/new?node=${id}`}>
          {t('addInbound')}
        </Anchor>
      </Group>
      <QueryView query={inbounds} empty={<Hint>{t('inbounds.none')}</Hint>}>
        {(rows) =>
          rows.map(({ id: inboundId, remark, tag, up, down, clientCount, onlineCount }) => (
            <Group key={inboundId} justify="space-between" gap="xs">
              <Anchor component={Link} size="sm" to={`/panel/inbounds?show=${inboundId}`}>
                <bdi>{remark || tag}</bdi>
              </Anchor>
              <Hint>
                {t('onlineOf', { online: format.number(onlineCount), count: format.number(clientCount) })} · ↑{' '}
                {format.bytes(up)} · ↓ {format.bytes(down)}
                {speedOf(tag)}
              </Hint>
            </Group>
          ))
        }
      </QueryView>
    </Stack>
  );
}
