import { ColorSwatch } from '@mantine/core';
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/format.ts';
import { OpenByName } from '../../../ui/open-by-name.tsx';
import { HourLine } from './hour-line.tsx';
import classes from './panels.module.css';
import { PanelMenu, type PanelVerbs } from './panel-menu.tsx';
import { needOf, type ShownPanel } from './panel-model.ts';
import { PanelStateBadge } from './panel-state.tsx';
import { usePanelWords } from './use-panel-words.ts';

const SHOWN_MATTERS = 3;
const DAY_MS = 86_400_000;
const FIGURES = [
  'up',
  'down',
  'cpu',
  'memory',
  'clients',
  'online',
  'depleted',
  'expiring',
  'inbounds',
  'nodes',
  'certificate',
  'backup',
  'copy',
  'vantage',
] as const;
type FigureName = (typeof FIGURES)[number];

/** Looked up once for each language: a reading changes only the values. */
function useFigureNames(): Record<FigureName, string> {
  const { t } = useTranslation('home');
  return useMemo(
    () => Object.fromEntries(FIGURES.map((name) => [name, t(`figure.${name}`)])) as Record<FigureName, string>,
    [t],
  );
}

interface TileProps extends Pick<ShownPanel, 'card' | 'name' | 'color'> {
  nowMs: number;
  onOpen: (id: string) => void;
  /** Its actions; null on a wall. */
  verbs: PanelVerbs | null;
}

/** One panel as a card. Memoised, and of plain elements, since a new reading comes every few seconds. */
export const PanelTile = memo(function PanelTile({ card, name, color, nowMs, onOpen, verbs }: TileProps) {
  const { t } = useTranslation('home');
  const format = useFormat();
  const figure = useFigureNames();
  const { matterWords } = usePanelWords();
  const { machine, clients, inbounds, nodes, matters } = card;
  const isAway = card.state !== 'ok';
  const versions = machine === null ? '' : versionsOf(machine, t('core'));
  const readAt = isAway && card.readAtMs > 0 ? t('readAt', { when: format.relative(card.readAtMs, nowMs) }) : '';
  const rate = (machine?.upPerSec ?? 0) + (machine?.downPerSec ?? 0);
  return (
    <article className={classes['tile']} data-need={needOf(card)} aria-label={name}>
      <header className={classes['tileHead']}>
        <TileName id={card.id} name={name} color={color} onOpen={onOpen} />
        <PanelStateBadge card={card} />
      </header>
      <p className={classes['facts']}>
        {versions !== '' && <bdi>{versions}</bdi>}
        {versions !== '' && readAt !== '' && ' · '}
        {readAt}
      </p>
      {isAway && card.detail !== '' && (
        <p className={classes['detail']}>
          <bdi>{card.detail}</bdi>
        </p>
      )}
      <div className={classes['rates']}>
        <HourLine line={card.line} label={t('lineLabel', { rate: format.rate(rate) })} />
        <dl>
          <Figure name={figure.up} value={known(isAway ? null : machine?.upPerSec, format.rate)} />
          <Figure name={figure.down} value={known(isAway ? null : machine?.downPerSec, format.rate)} />
          <Figure name={figure.cpu} value={known(isAway ? null : machine?.cpuPct, format.percent)} />
          <Figure name={figure.memory} value={known(isAway ? null : machine?.memPct, format.percent)} />
        </dl>
      </div>
      <dl className={classes['figures']}>
        <Figure name={figure.clients} value={known(clients?.total, format.number)} />
        <Figure name={figure.online} value={known(isAway ? null : clients?.online, format.number)} />
        <Figure name={figure.depleted} value={known(clients?.depleted, format.number)} />
        <Figure name={figure.expiring} value={known(clients?.expiring, format.number)} />
        <Figure name={figure.inbounds} value={known(inbounds?.total, format.number)} />
        <Figure name={figure.nodes} value={known(nodes?.total, format.number)} />
        <Figure
          name={figure.certificate}
          value={known(card.certificateEndsAtMs, (endMs) =>
            t('days', { count: Math.max(0, Math.floor((endMs - nowMs) / DAY_MS)) }),
          )}
        />
        <Figure
          name={figure.backup}
          value={known(card.backupAtMs, (atMs) => (atMs === 0 ? t('noBackup') : format.relative(atMs, nowMs)))}
        />
        {card.maintenance !== undefined && (
          <>
            <Figure
              name={figure.copy}
              value={known(card.maintenance.backupAtMs, (atMs) =>
                atMs === 0 ? t('noBackup') : format.relative(atMs, nowMs),
              )}
            />
            <Figure
              name={figure.vantage}
              value={known(card.maintenance.reachability, ({ blocked }) =>
                blocked.length === 0 ? t('reached') : t('blocked', { count: blocked.length }),
              )}
            />
          </>
        )}
      </dl>
      {matters.length > 0 && (
        <ul className={classes['matters']}>
          {matters.slice(0, SHOWN_MATTERS).map((matter, index) => (
            <li key={`${matter.kind} ${matter.name} ${index}`}>{matterWords(matter)}</li>
          ))}
          {matters.length > SHOWN_MATTERS && <li>{t('more', { count: matters.length - SHOWN_MATTERS })}</li>}
        </ul>
      )}
      {verbs !== null && <PanelMenu id={card.id} name={name} verbs={verbs} />}
    </article>
  );
});

interface NameProps extends Pick<TileProps, 'name' | 'color' | 'onOpen'> {
  id: string;
}

const TileName = memo(function TileName({ id, name, color, onOpen }: NameProps) {
  return (
    <div className={classes['tileName']}>
      <ColorSwatch color={`var(--mantine-color-${color}-6)`} size={14} />
      <OpenByName name={name} onOpen={() => onOpen(id)} />
    </div>
  );
});

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** A dash for an unknown value. */
export function known<T>(value: T | null | undefined, write: (value: T) => string): string {
  return value === null || value === undefined ? '–' : write(value);
}

export function versionsOf(
  { panelVersion, coreVersion }: { panelVersion: string; coreVersion: string },
  core: string,
): string {
  return [panelVersion, coreVersion === '' ? '' : `${core} ${coreVersion}`].filter((part) => part !== '').join(' · ');
}
