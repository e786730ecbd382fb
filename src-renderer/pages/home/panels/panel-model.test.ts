import { describe, expect, it } from 'vitest';
import type { PanelCard } from '../../../../src-main/bridge/panels.ts';
import { pathOfHit } from '../search/hit-path.ts';
import { minuteOf, timeOf } from '../minutes.ts';
import { groupPanels, linePath, movePanel, needOf, sortPanels, sumsOf, type ShownPanel } from './panel-model.ts';
import { nodeRow } from '../../nodes/testing-node.ts';
import { cardOfNode, lineFrom } from '../nodes/node-cards.ts';
import { testingCard } from './testing-card.ts';

const matter = (kind: PanelCard['matters'][number]['kind']) => ({ kind, name: '', value: 0, words: '' });
const shown = (id: string, more: Partial<PanelCard> = {}, group = ''): ShownPanel => ({
  card: testingCard(id, more),
  name: id,
  color: 'blue',
  address: '',
  group,
});
const ids = (panels: readonly ShownPanel[]): string => panels.map(({ card }) => card.id).join(' ');

describe('panels', () => {
  const panels = [
    shown('fine'),
    shown('waits', { state: 'waiting' }),
    shown('ends', { matters: [matter('certificateEnding')] }),
    shown('broken', { matters: [matter('coreError')] }),
    shown('away', { state: 'down' }),
  ];
  it('are sorted by need, by name, or in the operator’s order', () => {
    expect(ids(sortPanels(panels, 'need', []))).toBe('away broken ends waits fine');
    expect(ids(sortPanels(panels, 'name', []))).toBe('away broken ends fine waits');
    expect(ids(sortPanels(panels, 'own', ['waits', 'away']))).toBe('waits away fine ends broken');
    expect(needOf(testingCard('x', { state: 'refused' }))).toBe('attention');
  });
  it('move one place, and not past the ends', () => {
    const three = [shown('a'), shown('b'), shown('c')];
    expect(movePanel(three, 'c', -1)).toEqual(['a', 'c', 'b']);
    expect(movePanel(three, 'a', 1)).toEqual(['b', 'a', 'c']);
    expect(movePanel(three, 'a', -1)).toEqual(['a', 'b', 'c']);
    expect(movePanel(three, 'new', 1)).toEqual(['a', 'b', 'c']);
  });
  it('move within their group, whatever is between them in the order of all', () => {
    const mixed = [shown('a', {}, 'x'), shown('b', {}, 'y'), shown('c', {}, 'x')];
    expect(movePanel(mixed, 'c', -1)).toEqual(['c', 'b', 'a']);
    expect(movePanel(mixed, 'b', 1)).toEqual(['a', 'b', 'c']);
  });
  it('are grouped, those without a group last', () => {
    const grouped = groupPanels([shown('1'), shown('2', {}, 'b'), shown('3', {}, 'a'), shown('4', {}, 'b')]);
    expect(grouped.map(({ group, panels: members }) => `${group}: ${ids(members)}`)).toEqual(['a: 3', 'b: 2 4', ': 1']);
  });
  it('are summed: live figures count only while the panel answers', () => {
    const sums = sumsOf([
      testingCard('a'),
      testingCard('b', { state: 'down' }),
      testingCard('c', { clients: null, machine: null }),
    ]);
    expect(sums).toMatchObject({
      panels: 3,
      reachable: 2,
      away: 1,
      clients: 20,
      online: 4,
      upPerSec: 100,
      inbounds: 9,
    });
  });
});

it('a line has a gap where nothing was read', () => {
  expect(linePath([null, 0, 10, null, 5])).toBe('M1 19.5h0.3L2 0.5M4 10.0h0.3');
});

it.each([
  [{ kind: 'client', ref: 'a b@x' }, '/panel/clients?client=a%20b%40x'],
  [{ kind: 'inbound', ref: '7' }, '/panel/inbounds?show=7'],
  [{ kind: 'setting', ref: 'trustedProxyCIDRs' }, '/panel/settings/security?q=trustedProxyCIDRs'],
  [{ kind: 'setting', ref: 'ofAnotherPanel' }, '/panel/settings/general?q=ofAnotherPanel'],
] as const)('%j is shown at %s', async (hit, path) => {
  expect(await pathOfHit(hit)).toBe(path);
});

it('times of day', () => {
  expect(timeOf(425)).toBe('07:05');
  expect([minuteOf('07:05'), minuteOf('22:00:00'), minuteOf('')]).toEqual([425, 1320, null]);
});

it('a node is shown as a panel, with the data this panel has on it', () => {
  const now = 3_600_000 * 500_000;
  const line = lineFrom(
    [{ t: now / 1000 - 60, v: 5 }],
    [
      { t: now / 1000 - 60, v: 7 },
      { t: 1, v: 9 },
    ],
    now,
  );
  expect([line.length, line.at(-2), line.at(-1)]).toEqual([60, 12, null]);
  const { card, name } = cardOfNode(
    nodeRow({ status: 'offline', lastError: 'no route', plans: [{ kind: 'delete', inboundCount: 1, clientCount: 2 }] }),
    line,
  );
  expect(name).toBe('Frankfurt');
  expect(card).toMatchObject({
    id: '1',
    state: 'down',
    detail: 'no route',
    clients: { total: 25, online: 5 },
    matters: [{ kind: 'nodePlan' }],
  });
  expect(cardOfNode(nodeRow({ enable: false }), []).card.state).toBe('stopped');
  expect(cardOfNode(nodeRow({ id: 0, transitive: true }), []).card.id).toBe('guid-fra');
});
