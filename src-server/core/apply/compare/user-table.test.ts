import { describe, expect, it } from 'vitest';
import { UserTable } from './user-table.ts';

const entry = (email: string, id = 'a') => ({ email, id });

describe('the users of a running inbound', () => {
  it('keeps its contents right through any order of additions, changes and removals', () => {
    const table = new UserTable();
    const model = new Map<string, { email: string; id: string } | null>();
    // A fixed sequence that returns to the same few hundred names again and again, in two spellings.
    let state = 7;
    const next = (below: number): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    for (let step = 0; step < 4_000; step += 1) {
      const number = next(150);
      const email = next(2) === 0 ? `Client-${number}@example.org` : `client-${number}@example.org`;
      const folded = email.toLowerCase();
      const action = next(5);
      if (action <= 1) {
        const wanted = entry(email, String(next(3)));
        table.set(wanted);
        model.set(folded, wanted);
      } else if (action === 2) {
        expect(table.add(entry(email))).toBe(!model.has(folded));
        if (!model.has(folded)) model.set(folded, entry(email));
      } else if (action === 3) {
        table.delete(email);
        model.delete(folded);
      } else if (model.has(folded)) {
        table.markUnknown(email);
        model.set(folded, null);
      }
      const expected = model.get(folded);
      expect(table.size).toBe(model.size);
      expect(table.has(email)).toBe(model.has(folded));
      if (expected) {
        expect(table.isSame(expected)).toBe(true);
        expect(table.isSame({ ...expected, id: 'other' })).toBe(false);
        expect(table.spelling(email.toUpperCase())).toBe(expected.email);
      } else {
        expect(table.isSame(entry(email))).toBe(false);
      }
    }
    const left = [...table.emails()].map((email) => email.toLowerCase());
    expect(left.sort()).toEqual([...model.keys()].sort());
  });

  it('remembers who has a reverse proxy', () => {
    const table = new UserTable();
    table.set({ ...entry('Bridge'), reverse: { tag: 'r' } });
    table.set(entry('other'));
    expect(table.hasReverse).toBe(true);
    table.delete('bridge');
    expect(table.hasReverse).toBe(false);
    table.set({ ...entry('Bridge'), reverse: { tag: 'r' } });
    table.set(entry('BRIDGE'));
    expect(table.hasReverse).toBe(false);
    expect(table.spelling('bridge')).toBe('BRIDGE');
  });

  it('refuses an entry without an e-mail, and returns an unknown spelling unchanged', () => {
    const table = new UserTable();
    expect(table.add({ id: 'x' })).toBe(false);
    expect(table.spelling('Nobody')).toBe('Nobody');
    table.delete('Nobody');
    expect(table.size).toBe(0);
  });
});
