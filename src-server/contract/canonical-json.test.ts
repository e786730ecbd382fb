import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import type { Json } from './json.ts';

/** Members in another order, with extra null members: the same to the core. */
function rearranged(value: Json): Json {
  if (Array.isArray(value)) return value.map(rearranged);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, rearranged(member)] as const);
  return Object.fromEntries([['added', null] as const, ...members.filter(([key]) => key !== 'added').toReversed()]);
}

/** What the core reads: members that are null are as good as absent. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(present.map(([key, member]) => [key, withoutNulls(member)]));
}

const json = fc.jsonValue({ noUnicodeString: false }) as fc.Arbitrary<Json>;

describe('canonical JSON', () => {
  it.each<[Json, string]>([
    [{ b: 1, a: [null, { d: null, c: 'x' }] }, '{"a":[null,{"c":"x"}],"b":1}'],
    [{ 10: 1, 9: 2 }, '{"10":1,"9":2}'],
    [null, 'null'],
    ['é"', '"é\\""'],
  ])('of %j is %s', (value, text) => {
    expect(canonicalJson(value, false)).toBe(text);
  });

  it('treats absent as null', () => {
    expect(canonicalJson(undefined, false)).toBe('null');
  });

  it('is JSON of the same value without null members', () => {
    fc.assert(
      fc.property(json, (value) => {
        const wire = JSON.parse(JSON.stringify(value)) as Json;
        expect(JSON.parse(canonicalJson(wire, false))).toEqual(withoutNulls(wire));
      }),
    );
  });

  it('does not depend on the order of members, nor on null ones', () => {
    fc.assert(
      fc.property(json, (value) => {
        const plain = JSON.parse(JSON.stringify(value).replaceAll('"added"', '"add"')) as Json;
        expect(canonicalJson(rearranged(plain), false)).toBe(canonicalJson(plain, false));
      }),
    );
  });
});
