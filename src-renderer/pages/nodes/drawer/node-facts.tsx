import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Node } from '#contract/nodes';
import { useFormat } from '../../../i18n/format.ts';
import { urlOf } from '../node-state.ts';
import classes from '../nodes.module.css';

/** Facts about a node as name-value pairs; unknown ones are left out. */
export function NodeFacts({ node }: { node: Node }) {
  const { t } = useTranslation(['nodes', 'words', 'shell']);
  const format = useFormat();
  const isLive = node.enable && node.status === 'online';
  const facts: [name: string, value: ReactNode][] = [
    [t('words:address'), <bdi key="address">{urlOf(node)}</bdi>],
    [
      t('fact.trust'),
      node.scheme === 'http' && node.tlsVerifyMode !== 'enrolled' ? t('fact.plain') : t(`tls.${node.tlsVerifyMode}`),
    ],
    [t('fact.trunk'), node.dialledBy === '' ? '' : t(`enrol.by.${node.dialledBy}`)],
    [t('fact.probed'), node.lastHeartbeat === 0 ? t('words:never') : format.dateTime(node.lastHeartbeat * 1000)],
    [t('fact.latency'), isLive ? t('words:ms', { ms: format.number(node.latencyMs) }) : ''],
    [t('fact.uptime'), isLive ? format.duration(node.uptimeSecs) : ''],
    [t('words:panel'), node.panelVersion === '' ? '' : <bdi key="panel">{node.panelVersion}</bdi>],
    [t('shell:nav.core'), node.coreVersion === '' ? '' : <bdi key="core">{node.coreVersion}</bdi>],
    [
      t('fact.sync'),
      node.inboundSyncMode === 'all' ? t('sync.all') : t('fact.tags', { tags: node.inboundTags.join(', ') }),
    ],
    [t('field.remark'), node.remark === '' ? '' : <bdi key="remark">{node.remark}</bdi>],
  ];
  return (
    <dl className={classes['facts']}>
      {facts
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name} className={classes['fact']}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
