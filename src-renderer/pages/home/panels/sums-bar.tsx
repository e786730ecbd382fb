import { useTranslation } from 'react-i18next';
import type { PanelCard } from '../../../../src-main/bridge/panels.ts';
import { useFormat } from '../../../i18n/format.ts';
import classes from './panels.module.css';
import { sumsOf } from './panel-model.ts';

/** Totals over all panels. */
export function SumsBar({ cards }: { cards: readonly PanelCard[] }) {
  const { t } = useTranslation(['home', 'words']);
  const format = useFormat();
  const sums = sumsOf(cards);
  const figures: [string, string][] = [
    [t('words:panels'), t('sums.of', { count: format.number(sums.reachable), total: format.number(sums.panels) })],
    [t('figure.up'), format.rate(sums.upPerSec)],
    [t('figure.down'), format.rate(sums.downPerSec)],
    [t('figure.clients'), format.number(sums.clients)],
    [t('figure.online'), format.number(sums.online)],
    [t('figure.depleted'), format.number(sums.depleted)],
    [t('figure.expiring'), format.number(sums.expiring)],
    [t('figure.inbounds'), format.number(sums.inbounds)],
    [t('figure.nodes'), format.number(sums.nodes)],
    [t('sums.matters'), format.number(sums.matters)],
  ];
  return (
    <dl className={classes['sums']} aria-label={t('sums.label')}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
