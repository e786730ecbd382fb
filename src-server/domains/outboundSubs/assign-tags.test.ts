import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignTags, freePrefix, withPrefix, type KnownTag } from './assign-tags.ts';

const DAY_MS = 24 * 3_600_000;
type Item = { identity: string; name: string };
const item = (identity: string, name = identity): Item => ({ identity, name });

function assigner(prefix = 'sub1-', taken: string[] = []) {
  let known: KnownTag[] = [];
  return (entries: Item[], nowMs = 0): string[] => {
    const assigned = assignTags(entries, { known, prefix, taken: new Set(taken), nowMs });
    ({ known } = assigned);
    return assigned.tags;
  };
}

describe('tags', () => {
  it('derive from names in any script, numbers where there is none, and stay distinct', () => {
    const assign = assigner();
    expect(assign([item('a', '🇯🇵 Tokyo #1'), item('b', ''), item('c', 'tokyo-1'), item('d', 'تهران ۲')])).toEqual([
      'sub1-tokyo-1',
      'sub1-2',
      'sub1-tokyo-1-1',
      'sub1-تهران-۲',
    ]);
  });

  it('stay with a server however it is renamed and moved, and a new one on top takes none', () => {
    const assign = assigner();
    expect(assign([item('a'), item('b'), item('c')])).toEqual(['sub1-a', 'sub1-b', 'sub1-c']);
    expect(assign([item('new'), item('c', 'renamed'), item('a'), item('b')], 1)).toEqual([
      'sub1-new',
      'sub1-c',
      'sub1-a',
      'sub1-b',
    ]);
  });

  it('stay in their place when credentials are replaced there', () => {
    const assign = assigner();
    assign([item('a', 'A'), item('b', 'B'), item('c', 'C')]);
    expect(assign([item('a2', 'A'), item('b', 'B'), item('c2', 'C')], 1)).toEqual(['sub1-a', 'sub1-b', 'sub1-c']);
  });

  it('are reserved for thirty days after a server has gone', () => {
    const assign = assigner();
    assign([item('a'), item('b')]);
    assign([item('a')], DAY_MS);
    expect(assign([item('a'), item('x', 'b')], 2 * DAY_MS)).toEqual(['sub1-a', 'sub1-b-1']);
    expect(assign([item('a'), item('x', 'b'), item('b')], 29 * DAY_MS)).toEqual(['sub1-a', 'sub1-b-1', 'sub1-b']);
    assign([item('a')], 30 * DAY_MS);
    expect(assign([item('a'), item('y', 'b')], 61 * DAY_MS)).toEqual(['sub1-a', 'sub1-b']);
  });

  it('are remembered for a limited number of servers, the latest ones', () => {
    const known = Array.from({ length: 5_000 }, (_, at) => ({
      identity: `i${at}`,
      tag: `t${at}`,
      position: -1,
      seenAtMs: at,
    }));
    const next = assignTags([item('a')], { known, prefix: 'p', taken: new Set(), nowMs: 5_000 });
    expect(next.known).toHaveLength(2_001);
    expect(next.known.at(-1)?.tag).toBe('t3000');
  });

  it('avoid those of the template and of other subscriptions, including remembered ones', () => {
    const known = [{ identity: 'a', tag: 'direct', position: 0, seenAtMs: 0 }];
    const options = { known, prefix: 'sub1-', taken: new Set(['direct', 'sub1-a']), nowMs: 1 };
    expect(assignTags([item('a')], options).tags).toEqual(['sub1-a-1']);
  });

  it('are never assigned twice, and none is lost while the list only moves', () => {
    const ids = fc.uniqueArray(fc.nat(30), { maxLength: 12 });
    fc.assert(
      fc.property(ids, fc.array(ids, { maxLength: 4 }), (first, later) => {
        const assign = assigner('p', ['p-1', 'p-3']);
        const toItems = (list: number[]): Item[] => list.map((id) => item(String(id), String(id % 4)));
        const tags = new Map(assign(toItems(first)).map((tag, index) => [first[index], tag]));
        for (const [round, list] of later.entries()) {
          const given = assign(toItems(list), round + 1);
          expect(new Set(given).size).toBe(given.length);
          expect(given.some((tag) => ['p-1', 'p-3'].includes(tag))).toBe(false);
        }
        const shuffled = first.toReversed();
        if (later.length === 0) expect(assign(toItems(shuffled), 9)).toEqual(shuffled.map((id) => tags.get(id)));
      }),
    );
  });
});

describe('prefixes', () => {
  it('the smallest unused number', () => {
    expect(freePrefix([])).toBe('sub1-');
    expect(freePrefix(['sub1-', 'sub3-', 'hk-', 'sub2'])).toBe('sub2-');
  });

  it('a new prefix renames every remembered tag and takes no occupied one', () => {
    const known = ['sub1-a', 'sub1-b', 'own'].map((tag, position) => ({ identity: tag, tag, position, seenAtMs: 0 }));
    expect(withPrefix(known, 'sub1-', 'hk-', new Set(['hk-a'])).map(({ tag }) => tag)).toEqual([
      'hk-a-1',
      'hk-b',
      'hk-own',
    ]);
  });
});
