import type { ConnectionColor } from '../../../../src-main/bridge/contract.ts';
import type { PanelCard, PanelMatter } from '../../../../src-main/bridge/panels.ts';

/** A panel as the page of all panels shows it. */
export interface ShownPanel {
  card: PanelCard;
  name: string;
  color: ConnectionColor;
  address: string;
  /** Empty = none. */
  group: string;
}

/** How urgently a panel needs the operator. */
export type Need = 'away' | 'error' | 'attention' | 'unknown' | 'fine';

const LOUD: ReadonlySet<PanelMatter['kind']> = new Set([
  'coreError',
  'certificateEnded',
  'disk',
  'nodeDown',
  'nodeCore',
  'vantageBlocked',
]);
const NEEDS: readonly Need[] = ['away', 'error', 'attention', 'unknown', 'fine'];

export function needOf({ state, matters }: PanelCard): Need {
  if (state === 'down' || state === 'wrong' || state === 'untrusted') return 'away';
  if (matters.some(({ kind }) => LOUD.has(kind))) return 'error';
  if (state === 'refused' || matters.length > 0) return 'attention';
  return state === 'ok' ? 'fine' : 'unknown';
}

export type Sort = 'need' | 'own' | 'name';

/** Sorted as chosen; equal panels keep the operator's order. */
export function sortPanels(panels: readonly ShownPanel[], sort: Sort, order: readonly string[]): ShownPanel[] {
  const place = ({ card }: ShownPanel): number => {
    const at = order.indexOf(card.id);
    return at === -1 ? order.length : at;
  };
  const need = ({ card }: ShownPanel): number => NEEDS.indexOf(needOf(card));
  const byOwn = (one: ShownPanel, other: ShownPanel): number => place(one) - place(other);
  const byName = (one: ShownPanel, other: ShownPanel): number => one.name.localeCompare(other.name);
  if (sort === 'name') return panels.toSorted(byName);
  return sort === 'own'
    ? panels.toSorted(byOwn)
    : panels.toSorted((one, other) => need(one) - need(other) || byOwn(one, other));
}

/** Panels by group, those without one last; a single nameless group where there are none. */
export function groupPanels(panels: readonly ShownPanel[]): { group: string; panels: ShownPanel[] }[] {
  const groups = [...new Set(panels.map(({ group }) => group))].toSorted((one, other) =>
    one === '' ? 1 : other === '' ? -1 : one.localeCompare(other),
  );
  return groups.map((group) => ({ group, panels: panels.filter((panel) => panel.group === group) }));
}

/** The same order with one panel moved by one place within its group. @param panels in the order shown */
export function movePanel(panels: readonly ShownPanel[], id: string, by: -1 | 1): string[] {
  const ids = panels.map(({ card }) => card.id);
  const moved = panels.find(({ card }) => card.id === id);
  const mates = panels.filter(({ group }) => group === moved?.group).map(({ card }) => card.id);
  const neighbour = mates[mates.indexOf(id) + by];
  if (moved === undefined || neighbour === undefined) return ids;
  return ids.map((other) => (other === id ? neighbour : other === neighbour ? id : other));
}

export interface Sums {
  panels: number;
  /** Panels that answer. */
  reachable: number;
  away: number;
  upPerSec: number;
  downPerSec: number;
  clients: number;
  online: number;
  depleted: number;
  expiring: number;
  inbounds: number;
  nodes: number;
  matters: number;
}

/** Totals over all panels. Live figures count only while a panel answers; stored ones count as last read. */
export function sumsOf(cards: readonly PanelCard[]): Sums {
  const sum = (of: (card: PanelCard) => number | null | undefined): number =>
    cards.reduce((total, card) => total + (of(card) ?? 0), 0);
  const now = (of: (card: PanelCard) => number | null | undefined): number =>
    sum((card) => (card.state === 'ok' ? of(card) : 0));
  return {
    panels: cards.length,
    reachable: sum(({ state }) => Number(state === 'ok')),
    away: sum((card) => Number(needOf(card) === 'away')),
    upPerSec: now(({ machine }) => machine?.upPerSec),
    downPerSec: now(({ machine }) => machine?.downPerSec),
    clients: sum(({ clients }) => clients?.total),
    online: now(({ clients }) => clients?.online),
    depleted: sum(({ clients }) => clients?.depleted),
    expiring: sum(({ clients }) => clients?.expiring),
    inbounds: sum(({ inbounds }) => inbounds?.total),
    nodes: sum(({ nodes }) => nodes?.total),
    matters: sum(({ matters }) => matters.length),
  };
}

/** Units of the drawing, which is stretched to fit. */
export const LINE_BOX = { width: 60, height: 20 } as const;

/** The line of the last hour, with gaps where nothing was read. */
export function linePath(line: readonly (number | null)[]): string {
  const top = Math.max(1, ...line.map((value) => value ?? 0));
  let isDown = false;
  return line
    .map((value, minute) => {
      if (value === null) {
        isDown = false;
        return '';
      }
      const y = LINE_BOX.height - (value / top) * (LINE_BOX.height - 1) - 0.5;
      const verb = isDown ? 'L' : 'M';
      // A minute between two gaps is drawn as a dot: a line needs some length to be visible.
      const end = isDown ? '' : 'h0.3';
      isDown = true;
      return `${verb}${minute} ${y.toFixed(1)}${end}`;
    })
    .join('');
}
