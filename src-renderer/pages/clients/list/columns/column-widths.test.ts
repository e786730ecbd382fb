import { describe, expect, it } from 'vitest';
import { fitWidths, type ColumnNeed } from './column-widths.ts';

type Id = 'email' | 'traffic' | 'comment';
const need = (id: Id, wanted: number, least = wanted, chosen?: number): ColumnNeed<Id> => ({
  id,
  wanted,
  least,
  chosen,
});
const widths = (needs: ColumnNeed<Id>[], roomPx: number) => Object.fromEntries(fitWidths(needs, roomPx));

describe('widths of columns', () => {
  it('share the room that is left by what they hold', () => {
    expect(widths([need('email', 200, 160), need('traffic', 300)], 1_000)).toEqual({ email: 400, traffic: 600 });
  });

  it('take what lacks from columns that may be shorter, and never from figures', () => {
    const needs = [need('email', 300, 160), need('traffic', 200), need('comment', 150, 80)];
    expect(widths(needs, 545)).toEqual({ email: 230, traffic: 200, comment: 115 });
    expect(widths(needs, 100)).toEqual({ email: 160, traffic: 200, comment: 80 });
  });

  it('leave a width that was chosen alone', () => {
    expect(widths([need('email', 300, 160, 120), need('traffic', 200)], 1_000)).toEqual({ email: 120, traffic: 880 });
  });

  it('are what was asked for before the room is known', () => {
    expect(widths([need('email', 300, 160), need('traffic', 200)], 0)).toEqual({ email: 300, traffic: 200 });
  });
});
