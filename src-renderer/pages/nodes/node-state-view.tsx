import type { TFunction } from 'i18next';
import { Link } from 'react-router';
import type { Node } from '#contract/nodes';
import type { Format } from '../../i18n/format.ts';
import { serverNow } from '../../stores/server-clock.ts';
import { lastErrorWords, syncWords } from './node-refusal-words.ts';
import type { Tone } from '../../ui/palette/tones.ts';
import classes from './nodes.module.css';
import { deliveryOf, stateOf, type Delivery, type NodeState } from './node-state.ts';

const STATE_TONES: Record<NodeState, Tone> = {
  disabled: 'gray',
  unknown: 'gray',
  offline: 'red',
  misplaced: 'red',
  coreError: 'red',
  coreStopped: 'yellow',
  online: 'green',
};
const DELIVERY_TONES: Record<Exclude<Delivery, 'applied'>, Tone> = {
  queued: 'yellow',
  sending: 'blue',
  held: 'yellow',
  refused: 'red',
};

interface NodeStateViewProps {
  node: Node;
  /** How many lines of a reason are shown; absent = all. */
  lines?: 2;
  t: TFunction<'nodes'>;
  format: Format;
}

/** State of a node and of its pending changes, each with its reason. */
export function NodeStateView({ node, lines, t, format }: NodeStateViewProps) {
  const state = stateOf(node);
  const delivery = deliveryOf(node);
  const reason = state === 'coreError' ? node.coreError : node.enable ? lastErrorWords(node) : '';
  return (
    <div className={classes['state']}>
      <div className={classes['chips']}>
        <span className={classes['chip']} data-tone={STATE_TONES[state]}>
          {t(`state.${state}`)}
        </span>
        {delivery !== 'applied' && (
          <span className={classes['chip']} data-tone={DELIVERY_TONES[delivery]}>
            {t(`delivery.${delivery}`)}
          </span>
        )}
        {node.undecidedEdits > 0 && (
          <Link className={classes['chip']} data-tone="yellow" to={`/panel/nodes/${node.id}/drift`}>
            {t('drift.undecidedThere', { count: node.undecidedEdits })}
          </Link>
        )}
      </div>
      {[reason, node.copyAt ? t('copied', { address: node.copyAt }) : '', ...syncWords(node)]
        .filter((text) => text !== '')
        .map((text) => (
          <div key={text} className={classes['small']} title={text} data-lines={lines}>
            <bdi>{text}</bdi>
          </div>
        ))}
      {delivery !== 'applied' && node.configDirtyAt > 0 && (
        <div className={classes['small']} data-dimmed>
          {t('delivery.since', { when: format.relative(node.configDirtyAt, serverNow()) })}
        </div>
      )}
    </div>
  );
}
