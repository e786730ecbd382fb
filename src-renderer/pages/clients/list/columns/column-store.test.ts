import { beforeEach, describe, expect, it } from 'vitest';
import { moved } from '../../../../ui/columns/column-choice.ts';
import { useColumns } from './column-store.ts';

beforeEach(() => {
  localStorage.clear();
  useColumns.getState().reset();
});

describe('columns of clients', () => {
  it('are shown, hidden and put back', () => {
    const { toggle, reset } = useColumns.getState();
    toggle('remaining');
    toggle('comment');
    expect(useColumns.getState().shown).toEqual(['state', 'group', 'inbounds', 'traffic', 'expiry', 'remaining']);
    reset();
    expect(useColumns.getState().shown).toContain('comment');
  });

  it('move by one place and stop at the ends', () => {
    expect(moved(['state', 'group', 'traffic'], 'traffic', -1)).toEqual(['state', 'traffic', 'group']);
    expect(moved(['state', 'group'], 'state', -1)).toEqual(['state', 'group']);
    expect(moved(['state', 'group'], 'group', 1)).toEqual(['state', 'group']);
  });

  it('keep of a stored choice what still exists', async () => {
    const stored = { order: ['comment', 'gone', 'state'], shown: ['gone', 'state'], density: 'compact' };
    localStorage.setItem('panel.clients.columns', JSON.stringify({ state: stored, version: 1 }));
    await useColumns.persist.rehydrate();
    const { order, shown, density } = useColumns.getState();
    expect(order.slice(0, 2)).toEqual(['comment', 'state']);
    expect(order).toHaveLength(12);
    expect([shown, density]).toEqual([['state'], 'compact']);
  });

  it('survive a stored choice that is no choice', async () => {
    localStorage.setItem('panel.clients.columns', JSON.stringify({ state: { order: 7 }, version: 1 }));
    await useColumns.persist.rehydrate();
    expect(useColumns.getState().shown).toHaveLength(6);
  });

  it('take a width within limits, give it back and keep it over a reload', async () => {
    const { setWidth } = useColumns.getState();
    setWidth('email', 9_000);
    setWidth('traffic', 1);
    setWidth('group', 111.4);
    setWidth('group', null);
    expect(useColumns.getState().widths).toEqual({ email: 600, traffic: 60 });
    await useColumns.persist.rehydrate();
    expect(useColumns.getState().widths).toEqual({ email: 600, traffic: 60 });
    useColumns.getState().reset();
    expect(useColumns.getState().widths).toEqual({});
  });
});
