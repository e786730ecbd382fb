import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#wire/json';
import { lineOf } from '../draft/place.ts';
import { selectedTags, withObservers } from './balancers.ts';
import { changesBetween } from './changes.ts';
import { isSame } from '../../../forms/draft/differences.ts';
import { readAt, stepsOf, writeAt } from '../../../forms/draft/json.ts';
import { freeTag, moveItem, OUTBOUNDS, putItem, RULES } from './lists.ts';
import { dropReferences, referencesTo, renameReferences, rewriteBalancer } from './references.ts';

const TEMPLATE: JsonObject = {
  log: { loglevel: 'warning', future: { kept: true } },
  outbounds: [
    { tag: 'direct', protocol: 'freedom', mystery: 1 },
    { tag: 'exit', protocol: 'vless', settings: {} },
    { tag: 'front', protocol: 'vless', streamSettings: { sockopt: { dialerProxy: 'exit', mark: 7 } } },
  ],
  routing: {
    rules: [
      { inboundTag: ['api'], outboundTag: 'api' },
      { outboundTag: 'exit', domain: ['domain:a'], note: 'mine' },
      { balancerTag: 'best', port: '1' },
    ],
    balancers: [{ tag: 'best', selector: ['exit', 'ex'], fallbackTag: 'exit' }],
  },
  observatory: { subjectSelector: ['exit'] },
};

describe('places', () => {
  it('are read and written, and the rest keeps its identity', () => {
    const next = writeAt(TEMPLATE, ['policy', 'levels', '0', 'statsUserUplink'], true);
    expect(readAt(next, ['policy', 'levels', '0'])).toEqual({ statsUserUplink: true });
    expect(next['log']).toBe(TEMPLATE['log']);
    expect(writeAt(TEMPLATE, ['log', 'loglevel'], 'warning')).toEqual(TEMPLATE);
    expect(writeAt(TEMPLATE, ['log', 'loglevel'], undefined)['log']).toEqual({ future: { kept: true } });
  });
  it.each([
    ['routing.rules[1].domain', '"domain": ['],
    ['outbounds[2].streamSettings.sockopt', '"sockopt": {'],
    ['log', '"log": {'],
    ['outbounds[1]', '{'],
  ])('%s is on its line of the text', (field, text) => {
    const lines = JSON.stringify(TEMPLATE, null, 2).split('\n');
    expect(lines[lineOf(TEMPLATE, stepsOf(field)) - 1]?.trim()).toBe(text);
  });
  it('are equal in another order', () => {
    expect(isSame({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toBe(true);
    expect(isSame({ a: 1 }, { a: 1, b: 2 })).toBe(false);
    expect(isSame([1, 2], [2, 1])).toBe(false);
  });
});

describe('references to an outbound', () => {
  it('are found wherever they are', () => {
    expect(referencesTo(TEMPLATE, 'exit').map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'rule #2',
      'balancer best',
      'fallback best',
      'chain front',
      'observatory observatory',
    ]);
    expect(referencesTo(TEMPLATE, 'direct')).toEqual([]);
  });
  it('follow a new name; unknown members survive', () => {
    const next = renameReferences(TEMPLATE, 'exit', 'tokyo');
    expect(readAt(next, ['routing', 'rules', 1])).toEqual({
      outboundTag: 'tokyo',
      domain: ['domain:a'],
      note: 'mine',
    });
    expect(readAt(next, ['routing', 'balancers', 0])).toEqual({
      tag: 'best',
      selector: ['tokyo', 'ex'],
      fallbackTag: 'tokyo',
    });
    expect(readAt(next, ['outbounds', 2, 'streamSettings', 'sockopt'])).toEqual({ dialerProxy: 'tokyo', mark: 7 });
    expect(readAt(next, ['observatory', 'subjectSelector'])).toEqual(['tokyo']);
    expect(readAt(next, ['outbounds', 0])).toBe(readAt(TEMPLATE, ['outbounds', 0]));
    expect(renameReferences(TEMPLATE, 'nobody', 'x')).toBe(TEMPLATE);
  });
  it('are removed with it, and no rule is left without a target', () => {
    const next = dropReferences(TEMPLATE, 'exit');
    expect(readAt(next, RULES)).toHaveLength(2);
    expect(readAt(next, ['routing', 'balancers', 0])).toEqual({ tag: 'best', selector: ['ex'] });
    expect(readAt(next, ['outbounds', 2, 'streamSettings', 'sockopt'])).toEqual({ mark: 7 });
    expect(readAt(rewriteBalancer(TEMPLATE, 'best', undefined), RULES)).toHaveLength(2);
    expect(readAt(rewriteBalancer(TEMPLATE, 'best', 'b'), [...RULES, 2, 'balancerTag'])).toBe('b');
  });
});

describe('changes', () => {
  it('are counted as an operator would', () => {
    let next = putItem(TEMPLATE, OUTBOUNDS, 3, { tag: 'new', protocol: 'freedom' });
    next = writeAt(next, ['log', 'loglevel'], 'debug');
    next = writeAt(next, [...RULES, 1, 'port'], '443');
    expect(changesBetween(TEMPLATE, next)).toEqual([
      { where: 'log', name: '', kind: 'changed' },
      { where: 'outbounds', name: 'new', kind: 'added' },
      { where: 'routing.rules', name: '2', kind: 'changed' },
    ]);
  });
  it('of order count as one', () => {
    expect(changesBetween(TEMPLATE, moveItem(TEMPLATE, RULES, 2, 0))).toEqual([
      { where: 'routing.rules', name: '', kind: 'moved' },
    ]);
    expect(changesBetween(TEMPLATE, moveItem(TEMPLATE, OUTBOUNDS, 2, 0))).toEqual([
      { where: 'outbounds', name: '', kind: 'moved' },
    ]);
    expect(changesBetween(TEMPLATE, structuredClone(TEMPLATE))).toEqual([]);
  });
});

describe('tags and observers', () => {
  it('get free names', () => {
    expect(freeTag('exit', ['exit', 'exit-2'])).toBe('exit-3');
    expect(freeTag('', [])).toBe('outbound');
    expect(freeTag('', ['outbound'])).toBe('outbound-2');
  });
  it('selectors match by prefix', () => {
    expect(selectedTags(['sub1-', 'exit'], ['sub1-a', 'exit', 'exit2', 'direct'])).toEqual(['sub1-a', 'exit', 'exit2']);
  });
  it('a balancer that measures gets its observer, and existing settings stay', () => {
    expect(withObservers(TEMPLATE)['observatory']).toEqual({ subjectSelector: ['exit', 'ex'] });
    const plain: JsonObject = { routing: { balancers: [{ tag: 'b', selector: ['x'] }] } };
    expect(withObservers(plain)).toBe(plain);
    const load = writeAt(TEMPLATE, ['routing', 'balancers', 0, 'strategy'], { type: 'leastLoad' });
    expect(withObservers(load)).toMatchObject({ burstObservatory: { subjectSelector: ['exit', 'ex'] } });
    expect(withObservers(load)['observatory']).toBeUndefined();
  });
});
