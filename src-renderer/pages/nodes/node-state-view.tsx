import { Badge, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Node } from '#contract/nodes';
import { useFormat } from '../../i18n/format.ts';
import { serverTimeAt } from '../../stores/server-clock.ts';
import { lastErrorWords, syncWords } from './node-refusal-words.ts';
import classes from './nodes.module.css';
import { deliveryOf, stateOf, type Delivery, type NodeState } from './node-state.ts';

const STATE_COLORS: Record<NodeState, string> = {
  disabled: 'gray.7',
  unknown: 'gray.7',
  offline: 'red.9',
  misplaced: 'red.9',
  coreError: 'red.9',
  coreStopped: 'yellow.9',
  online: 'teal.9',
};
const DELIVERY_COLORS: Record<Exclude<Delivery, 'applied'>, string> = {
  queued: 'yellow.9',
  sending: 'blue.9',
  held: 'yellow.9',
  refused: 'red.9',
};

interface NodeStateViewProps {
  node: Node;
  /** Lines of a reason that are shown; absent = all of it. */
  lines?: number;
}

/** How a node does and where the changes for it stand, each with its reason. */
export function NodeStateView({ node, lines }: NodeStateViewProps) {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  const state = stateOf(node);
  const delivery = deliveryOf(node);
  const reason = state === 'coreError' ? node.coreError : node.enable ? lastErrorWords(node) : '';
  return (
    <Stack gap={4}>
      <Group gap={4}>
        <Badge color={STATE_COLORS[state]} tt="none" miw="max-content">
          {t(`state.${state}`)}
        </Badge>
        {delivery !== 'applied' && (
          <Badge color={DELIVERY_COLORS[delivery]} tt="none" miw="max-content">
            {t(`delivery.${delivery}`)}
          </Badge>
        )}
        {node.undecidedEdits > 0 && (
          <Badge
            color="yellow.9"
            tt="none"
            miw="max-content"
            component={Link}
            to={`/panel/nodes/${node.id}/drift`}
            className={classes['edits'] ?? ''}
          >
            {t('drift.undecidedThere', { count: node.undecidedEdits })}
          </Badge>
        )}
      </Group>
      {[reason, ...syncWords(node)]
        .filter((text) => text !== '')
        .map((text) => (
          <Text key={text} size="xs" title={text} {...(lines === undefined ? {} : { lineClamp: lines })}>
            <bdi>{text}</bdi>
          </Text>
        ))}
      {delivery !== 'applied' && node.configDirtyAt > 0 && (
        <Text size="xs" c="dimmed">
          {t('delivery.since', { when: format.relative(node.configDirtyAt, serverTimeAt(Date.now())) })}
        </Text>
      )}
    </Stack>
  );
}
