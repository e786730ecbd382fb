import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BROKEN_TEMPLATES } from '../../../testing/core-config/broken-templates.ts';
import { buildCoreConfig } from '../core-config.ts';
import { defaultTemplate } from './default-template.ts';
import {
  checkTemplate,
  checkTemplateRuns,
  geoFilesNamedBy,
  parseTemplate,
  removeInboundTag,
  renameInboundTag,
} from './template-rules.ts';
import type { Json, JsonObject } from '../source.ts';

function nested(depth: number, asText: boolean): string {
  let value: Json = { outbounds: [] };
  for (let level = 0; level < depth; level += 1) {
    value = { xraySetting: asText ? JSON.stringify(value) : value, inboundTags: '[]' };
  }
  return JSON.stringify(value);
}

describe('a saved template', () => {
  it.each([0, 1, 2, 8])('wrapped %i times is unwrapped, as objects or as texts', (depth) => {
    expect(parseTemplate(nested(depth, false))).toEqual({ outbounds: [] });
    expect(parseTemplate(nested(depth, true))).toEqual({ outbounds: [] });
  });

  it('wrapped deeper is refused', () => {
    expect(parseTemplate(nested(9, false))).toBeNull();
  });

  it.each(['', 'x', '[]', 'null', '"{}"', '1', '{"xraySetting":"x"}', '{"xraySetting":[]}'])(
    'is refused as %s',
    (text) => {
      expect(parseTemplate(text)).toBeNull();
    },
  );

  it('with a member xraySetting beside real sections is a template', () => {
    expect(parseTemplate('{"xraySetting":{},"outbounds":[]}')).toEqual({ xraySetting: {}, outbounds: [] });
  });
});

describe('template checks', () => {
  const check = (change: JsonObject) =>
    [checkTemplate, checkTemplateRuns]
      .flatMap((rules) => rules({ outbounds: [], ...change }))
      .map((issue) => `${issue.field}:${issue.rule}`);
  const tunnel = (change: JsonObject): JsonObject => ({ tag: 'api', protocol: 'tunnel', port: 1, ...change });

  const outbound = (tag: string): JsonObject => ({ tag, protocol: 'freedom' });
  const through = (tag: string, dialerProxy: string): JsonObject => ({
    ...outbound(tag),
    streamSettings: { sockopt: { dialerProxy } },
  });
  const inbound = (tag: string): JsonObject => ({ tag, protocol: 'http', port: 1 });
  const rule = (change: JsonObject): JsonObject => ({ port: 1, outboundTag: 'a', ...change });
  const balancer = (change: JsonObject): JsonObject => ({ tag: 'b', selector: ['a'], ...change });

  it('pass the default template', () => {
    expect(check(defaultTemplate())).toEqual([]);
  });

  it.each<[JsonObject, string[]]>([
    [{ outbounds: {} }, ['outbounds:type']],
    [{ routing: [] }, ['routing:type']],
    [{ inbounds: {} }, ['inbounds:type']],
    [{ api: { listen: '127.0.0.1:1' } }, []],
    [{ api: { listen: '[::1]:1' } }, []],
    [{ api: { listen: 'localhost:1' } }, []],
    [{ api: { listen: '/run/core.sock,0600' } }, []],
    [{ api: { listen: '' } }, []],
    [{ api: { listen: '0.0.0.0:1' } }, ['api.listen:unsupported']],
    [{ api: { listen: ':1' } }, ['api.listen:unsupported']],
    [{ api: { listen: '[::]:1' } }, ['api.listen:unsupported']],
    [{ api: { listen: '192.168.1.1:1' } }, ['api.listen:unsupported']],
    [{ api: { listen: '127.0.0.1.example.com:1' } }, ['api.listen:unsupported']],
    [{ api: { listen: '127.0.0.1' } }, ['api.listen:format']],
    [{ api: { listen: 1 } }, ['api.listen:format']],
    [{ metrics: { listen: '0.0.0.0:1' } }, ['metrics.listen:unsupported']],
    [{ metrics: { listen: '/run/x' } }, ['metrics.listen:format']],
    [{ inbounds: [tunnel({ listen: '127.0.0.1' })] }, []],
    [{ inbounds: [tunnel({ listen: '0.0.0.0' })] }, ['inbounds[0].listen:unsupported']],
    [{ inbounds: [tunnel({})] }, ['inbounds[0].listen:unsupported']],
    [
      { inbounds: [tunnel({ tag: 'x', listen: '' })], routing: { rules: [{ inboundTag: 'x', outboundTag: 'api' }] } },
      ['inbounds[0].listen:unsupported'],
    ],
    [{ inbounds: [tunnel({ tag: 'x', listen: '' })] }, []],
    [{ outbounds: [outbound('a'), outbound('b'), outbound('a')] }, ['outbounds[2].tag:unique']],
    [{ outbounds: [outbound(''), outbound('')] }, []],
    [{ inbounds: [inbound('a'), inbound('a')] }, ['inbounds[1].tag:unique']],
    [{ inbounds: [{ tag: 'a', protocol: 'foo' }] }, ['inbounds[0]:unsupported']],
    [{ outbounds: [through('a', 'b'), through('b', 'c'), outbound('c'), through('d', 'gone')] }, []],
    [
      { outbounds: [through('a', 'b'), through('b', 'c'), { ...outbound('c'), proxySettings: { tag: 'b' } }] },
      ['outbounds[1]:unsupported', 'outbounds[2]:unsupported'],
    ],
    [{ routing: { rules: [rule({ ruleTag: 'r' }), rule({ ruleTag: 'r' })] } }, ['routing.rules[1].ruleTag:unique']],
    [{ routing: { balancers: [balancer({}), balancer({})] } }, ['routing.balancers[1].tag:unique']],
    [{ reverse: {}, transport: {} }, ['reverse:removed']],
    [{ transport: { tcpSettings: {} } }, ['transport:removed']],
    [{ outbounds: [{ tag: 'a', protocol: 'foo' }] }, ['outbounds[0]:unsupported']],
    [{ outbounds: ['x'] }, ['outbounds[0]:unsupported']],
    [
      { routing: { rules: [rule({ port: [] }), { port: 1 }, 'x'] } },
      [0, 1].map((at) => `routing.rules[${at}]:required`).concat('routing.rules[2]:type'),
    ],
    [{ routing: { rules: [{ enabled: false }] } }, []],
    [{ routing: { rules: [{ port: 1, balancerTag: 'b' }] } }, ['routing.rules[0].balancerTag:oneof']],
    [{ routing: { rules: [{ port: 1, balancerTag: 'b' }], balancers: [balancer({})] } }, []],
    [
      { routing: { balancers: [balancer({ selector: [] }), balancer({ tag: '' })] } },
      [0, 1].map((at) => `routing.balancers[${at}]:required`),
    ],
    [{ routing: { balancers: [balancer({ strategy: { type: 'leastPing' } })] } }, ['routing.balancers[0]:required']],
    [{ observatory: {}, routing: { balancers: [balancer({ strategy: { type: 'leastPing' } })] } }, []],
  ])('of %j give %j', (change, issues) => {
    expect(check(change)).toEqual(issues);
  });
});

describe('what the builder works around', () => {
  it.each(BROKEN_TEMPLATES.filter(({ refused }) => refused))('is refused on save: $name', ({ name, template }) => {
    const healsWithoutLoss = [
      'observatory service without observatory',
      'metrics without place',
      'outbound empty network',
      'outbound empty packet',
      'template inbound listen',
    ];
    expect([...checkTemplate(template), ...checkTemplateRuns(template)].length > 0).toBe(
      !healsWithoutLoss.includes(name),
    );
  });
});

describe('the checks and the builder', () => {
  const some = (...parts: Json[]): fc.Arbitrary<Json[]> => fc.array(fc.constantFrom(...parts), { maxLength: 4 });
  const template = fc.record({
    inbounds: some({ tag: 'a', protocol: 'http', port: 1 }, { tag: 'b', protocol: 'foo', port: 2 }, 'x'),
    outbounds: some(
      { tag: 'direct', protocol: 'freedom' },
      { tag: 'a', protocol: 'freedom', streamSettings: { network: 'pigeon' } },
      { tag: 'b', protocol: 'vless', streamSettings: { security: 'tls', tlsSettings: { allowInsecure: true } } },
      { protocol: 'foo' },
      null,
    ),
    routing: fc.record({
      rules: some(
        { port: 1, outboundTag: 'direct' },
        { outboundTag: 'direct' },
        { port: 1 },
        { port: 1, balancerTag: 'b', ruleTag: 'r' },
        { enabled: false },
        'x',
      ),
      balancers: some(
        { tag: 'b', selector: ['a'] },
        { tag: 'c', selector: [] },
        { tag: 'd', selector: ['a'], strategy: { type: 'leastPing' } },
        1,
      ),
    }),
    reverse: fc.constantFrom(null, {}),
    observatory: fc.constantFrom(null, { subjectSelector: ['a'] }),
  });

  it('agree: what is accepted runs as written, and what runs differently is reported', () => {
    fc.assert(
      fc.property(template, (built) => {
        const wanted = built as unknown as JsonObject;
        const source = { template: wanted, inbounds: [], subscribedOutbounds: { prepend: [], append: [] } };
        const { leftOut, warnings } = buildCoreConfig(source, { apiListen: '127.0.0.1:1', logFolder: '' });
        const issues = [...checkTemplate(wanted), ...checkTemplateRuns(wanted)];
        if (issues.length === 0) expect([leftOut, warnings]).toEqual([[], []]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('geo files', () => {
  it('are none for the default template', () => {
    expect(geoFilesNamedBy(defaultTemplate())).toEqual([]);
  });

  it('are named wherever a rule names a list', () => {
    const template = {
      routing: { rules: [{ ip: ['!geoip:cn'], domain: 'full:a.b,geosite:ads' }, { domain: ['ext:my list.dat:tag'] }] },
      dns: { hosts: { 'geosite:x': '1.1.1.1' }, servers: [{ domains: ['ext-domain:other.dat:y'] }] },
      inbounds: [{ sniffing: { ipsExcluded: ['ext-ip:third.dat:z'] } }],
    };
    expect(geoFilesNamedBy(template)).toEqual(['geoip.dat', 'geosite.dat', 'my list.dat', 'other.dat', 'third.dat']);
  });

  it("are named by the core's own downloads", () => {
    const geodata = { assets: [{ url: 'https://example.com/a', file: 'mine.dat' }, {}] };
    expect(geoFilesNamedBy({ geodata })).toEqual(['mine.dat']);
  });

  it.each(['geoip', 'geoip:', 'mygeoip:x', 'ext:file', 'https://ext:1:2'])('are not named by %j', (text) => {
    expect(geoFilesNamedBy([text])).toEqual([]);
  });
});

describe('the tag of an inbound', () => {
  const template: JsonObject = {
    outbounds: [
      { tag: 'direct', protocol: 'freedom' },
      { tag: 'loop', protocol: 'loopback', settings: { inboundTag: 'looped', other: 1 } },
    ],
    routing: {
      rules: [
        { inboundTag: ['a', 'b'], outboundTag: 'direct' },
        { inboundTag: 'a', outboundTag: 'direct' },
        { inboundTag: ['a'], ip: ['1.1.1.1'], outboundTag: 'direct' },
        { inboundTag: 'b,a', outboundTag: 'direct' },
        { inboundTag: ['looped'], outboundTag: 'direct' },
        { port: 1, outboundTag: 'direct' },
      ],
    },
  };
  const rulesOf = (changed: JsonObject) => (changed['routing'] as JsonObject)['rules'] as JsonObject[];

  it('is renamed in rules, in the notation they have', () => {
    const before = JSON.stringify(template);
    expect(rulesOf(renameInboundTag(template, 'a', 'z')).map((rule) => rule['inboundTag'])).toEqual([
      ['z', 'b'],
      'z',
      ['z'],
      'b,z',
      ['looped'],
      undefined,
    ]);
    expect(JSON.stringify(template)).toBe(before);
  });

  it('is renamed in loopback outbounds too', () => {
    const changed = renameInboundTag(template, 'looped', 'z');
    expect((changed['outbounds'] as JsonObject[])[1]?.['settings']).toEqual({ inboundTag: 'z', other: 1 });
    expect(rulesOf(changed)[4]?.['inboundTag']).toEqual(['z']);
  });

  it('is removed from rules; a rule for it alone is dropped, as it would then match all inbounds', () => {
    expect(rulesOf(removeInboundTag(template, 'a'))).toEqual([
      { inboundTag: ['b'], outboundTag: 'direct' },
      { inboundTag: 'b', outboundTag: 'direct' },
      { inboundTag: ['looped'], outboundTag: 'direct' },
      { port: 1, outboundTag: 'direct' },
    ]);
  });

  it('stays while a loopback outbound sends traffic under it', () => {
    expect(removeInboundTag(template, 'looped')).toBe(template);
  });

  it.each([{}, { routing: null }, { routing: { rules: 'x' } }, template])(
    'that is not named changes nothing in %j',
    (stored) => {
      expect(renameInboundTag(stored as JsonObject, 'unknown', 'z')).toBe(stored);
      expect(removeInboundTag(stored as JsonObject, 'unknown')).toBe(stored);
    },
  );
});
