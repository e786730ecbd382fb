import { IconDots } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Node } from '#contract/nodes';
import type { Format } from '../../i18n/format.ts';
import { Country } from '../../ui/country/country.tsx';
import { Named } from '../../ui/named.tsx';
import type { NodeColumn } from './node-columns.ts';
import { menuIdOf } from './node-menu.tsx';
import { NodeStateView } from './node-state-view.tsx';
import { urlOf } from './node-state.ts';
import classes from './nodes.module.css';

interface RowTools {
  t: TFunction<['nodes', 'words']>;
  format: Format;
  /** ISO 3166 alpha-2 by address. */
  countries: Readonly<Record<string, string>>;
  onOpen: (id: string) => void;
  onToggle: (node: Node, isOn: boolean) => void;
  onMenu: (id: number, button: HTMLElement) => void;
}

interface CellProps {
  node: Node;
  tools: RowTools;
}

interface NodeRowProps extends CellProps {
  /** Name of the node that manages it; null for those this panel manages. */
  parentName: string | null;
  isMenuOpen: boolean;
  columns: readonly NodeColumn[];
}

/** One panel. Plain elements: a hundred rows render at once, and nearly all show new figures after every round. */
export function NodeRow({ node, parentName, tools, isMenuOpen, columns }: NodeRowProps) {
  const { t } = tools;
  const isOwn = parentName === null;
  const cells: Record<NodeColumn, ReactNode> = {
    state: (
      <td key="state">
        <NodeStateView node={node} lines={2} t={t} format={tools.format} />
      </td>
    ),
    versions: (
      <td key="versions">
        <Versions node={node} tools={tools} />
      </td>
    ),
    load: <td key="load">{isOwn && <Load node={node} tools={tools} />}</td>,
    inbounds: (
      <td key="inbounds" data-label={t('column.inbounds')}>
        <InboundCount node={node} tools={tools} isOwn={isOwn} />
      </td>
    ),
    clients: (
      <td key="clients" data-label={t('column.clients')}>
        <ClientCounts node={node} tools={tools} isOwn={isOwn} />
      </td>
    ),
    enable: (
      <td key="enable">
        {isOwn && (
          <input
            type="checkbox"
            role="switch"
            className={classes['switch']}
            aria-label={t('words:isEnabled', { name: node.name })}
            checked={node.enable}
            aria-checked={node.enable}
            onChange={({ currentTarget }) => tools.onToggle(node, currentTarget.checked)}
          />
        )}
      </td>
    ),
  };
  return (
    <tr className={classes['row']}>
      <th scope="row">
        <Name node={node} parentName={parentName} tools={tools} />
      </th>
      {columns.map((column) => cells[column])}
      <td className={classes['verbs']}>
        {isOwn && (
          <button
            type="button"
            id={menuIdOf(node.id)}
            className={classes['menu']}
            aria-label={t('menu', { name: node.name })}
            aria-haspopup="menu"
            aria-expanded={isMenuOpen}
            aria-controls={isMenuOpen ? `${menuIdOf(node.id)}-dropdown` : undefined}
            onClick={({ currentTarget }) => tools.onMenu(node.id, currentTarget)}
          >
            <IconDots size={18} />
          </button>
        )}
      </td>
    </tr>
  );
}

function Name({ node, parentName, tools: { t, countries, onOpen } }: CellProps & Pick<NodeRowProps, 'parentName'>) {
  const isOwn = parentName === null;
  return (
    <div className={classes['name']} data-behind={!isOwn}>
      {isOwn ? (
        <button type="button" className={classes['open']} onClick={() => onOpen(String(node.id))}>
          <bdi>{node.name}</bdi>
        </button>
      ) : (
        <div className={classes['open']}>
          <bdi>{node.name}</bdi>
        </div>
      )}
      {parentName !== null && parentName !== '' && (
        <div className={classes['small']} data-dimmed>
          <Named sentence={(name) => t('behind', { name })} name={parentName} />
        </div>
      )}
      <div className={classes['small']} data-dimmed>
        <Country code={countries[node.address]} />
        <bdi>{urlOf(node)}</bdi>
      </div>
    </div>
  );
}

function Versions({ node: { panelVersion, coreVersion }, tools: { t } }: CellProps) {
  return (
    <div className={classes['figures']}>
      {panelVersion !== '' && (
        <div className={classes['small']}>
          <Named sentence={(name) => t('panelVersion', { version: name })} name={panelVersion} />
        </div>
      )}
      {coreVersion !== '' && (
        <div className={classes['small']}>
          <Named sentence={(name) => t('coreVersion', { version: name })} name={coreVersion} />
        </div>
      )}
    </div>
  );
}

/** The last probe's measurements; empty while there are none. */
function Load({ node, tools: { t, format } }: CellProps) {
  if (!node.enable || node.status !== 'online') return null;
  return (
    <div className={classes['figures']}>
      <div className={classes['small']}>
        {t('load', {
          ms: format.number(node.latencyMs),
          cpu: format.percent(node.cpuPct),
          memory: format.percent(node.memPct),
        })}
      </div>
      <div className={classes['small']}>
        ↑ {format.rate(node.netUp)} · ↓ {format.rate(node.netDown)}
      </div>
    </div>
  );
}

function InboundCount({ node, tools: { t, format }, isOwn }: CellProps & { isOwn: boolean }) {
  const { inboundCount: count, id, name } = node;
  if (!isOwn || count === 0) return <>{format.number(count)}</>;
  return (
    <Link className={classes['count']} to={`/panel/inbounds?node=${id}`} aria-label={t('inboundsOf', { name, count })}>
      {format.number(count)}
    </Link>
  );
}

function ClientCounts({ node, tools: { t, format }, isOwn }: CellProps & { isOwn: boolean }) {
  const { onlineCount, disabledCount, depletedCount } = node;
  // Online clients of an inbound behind a node are counted at that node.
  const count = isOwn ? node.clientCount : node.activeCount + disabledCount + depletedCount;
  return (
    <div className={classes['figures']}>
      {t('onlineOf', { online: format.number(onlineCount), count: format.number(count) })}
      {disabledCount + depletedCount > 0 && (
        <div className={classes['small']} data-dimmed>
          {t('idle', { disabled: format.number(disabledCount), depleted: format.number(depletedCount) })}
        </div>
      )}
    </div>
  );
}
