import { ColorSwatch, Group, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/format.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { OpenByName } from '../../../ui/open-by-name.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { HourLine } from './hour-line.tsx';
import classes from './panels.module.css';
import { PanelMenu, type PanelVerbs } from './panel-menu.tsx';
import type { ShownPanel } from './panel-model.ts';
import { PanelStateBadge } from './panel-state.tsx';
import { known, versionsOf } from './panel-tile.tsx';
import { useSlowNow } from './use-slow-now.ts';

interface PanelTableProps {
  panels: readonly ShownPanel[];
  onOpen: (id: string) => void;
  verbs: PanelVerbs | null;
}

const COLUMNS = [
  'name',
  'state',
  'load',
  'traffic',
  'clients',
  'online',
  'depleted',
  'nodes',
  'copy',
  'vantage',
] as const;

/** All panels as rows: more of them fit on a screen. */
export function PanelTable({ panels, onOpen, verbs }: PanelTableProps) {
  const { t } = useTranslation('home');
  const format = useFormat();
  const nowMs = useSlowNow();
  return (
    <CardTable minWidth={1100} columns={COLUMNS.map((column) => t(`column.${column}`))} actions={t('column.actions')}>
      {panels.map((panel) => {
        const { card, name, color } = panel;
        const { machine, clients, nodes } = card;
        const isAway = card.state !== 'ok';
        const rate = (machine?.upPerSec ?? 0) + (machine?.downPerSec ?? 0);
        return (
          <Table.Tr key={card.id} aria-label={name}>
            <Table.Th scope="row">
              <Group gap="xs" wrap="nowrap">
                <ColorSwatch color={`var(--mantine-color-${color}-6)`} size={12} />
                <div>
                  <OpenByName name={name} onOpen={() => onOpen(card.id)} />
                  <Hint size="xs">
                    <bdi>{machine === null ? '' : versionsOf(machine, t('core'))}</bdi>
                  </Hint>
                </div>
              </Group>
            </Table.Th>
            <Table.Td>
              <PanelStateBadge card={card} />
            </Table.Td>
            <Table.Td data-label={t('column.load')}>
              {known(isAway ? null : machine?.cpuPct, format.percent)}
              {' · '}
              {known(isAway ? null : machine?.memPct, format.percent)}
            </Table.Td>
            <Table.Td data-label={t('column.traffic')}>
              <div className={classes['rowLine']}>
                <HourLine line={card.line} label={t('lineLabel', { rate: format.rate(rate) })} />
                <span>{known(isAway || machine === null ? null : rate, format.rate)}</span>
              </div>
            </Table.Td>
            <Table.Td data-label={t('column.clients')}>{known(clients?.total, format.number)}</Table.Td>
            <Table.Td data-label={t('column.online')}>{known(isAway ? null : clients?.online, format.number)}</Table.Td>
            <Table.Td data-label={t('column.depleted')}>{known(clients?.depleted, format.number)}</Table.Td>
            <Table.Td data-label={t('column.nodes')}>{known(nodes?.total, format.number)}</Table.Td>
            <Table.Td data-label={t('column.copy')}>
              {known(card.maintenance?.backupAtMs, (atMs) =>
                atMs === 0 ? t('noBackup') : format.relative(atMs, nowMs),
              )}
            </Table.Td>
            <Table.Td data-label={t('column.vantage')}>
              {known(card.maintenance?.reachability, ({ blocked }) =>
                blocked.length === 0 ? t('reached') : t('blocked', { count: blocked.length }),
              )}
            </Table.Td>
            <Table.Td>{verbs !== null && <PanelMenu id={card.id} name={name} verbs={verbs} />}</Table.Td>
          </Table.Tr>
        );
      })}
    </CardTable>
  );
}
