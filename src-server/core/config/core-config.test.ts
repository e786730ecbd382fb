import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as base from '../../testing/core-config/base.ts';
import { BROKEN_TEMPLATES, sourceOf } from '../../testing/core-config/broken-templates.ts';
import { GOOD_INBOUNDS } from '../../testing/core-config/good-inbounds.ts';
import { buildCoreConfig } from './core-config.ts';
import { defaultTemplate } from './template/default-template.ts';
import type { CoreConfigSource, JsonObject } from './source.ts';

function build(
  overrides: Partial<CoreConfigSource>,
  options: Partial<typeof base.OPTIONS> & { coreVersion?: string } = {},
) {
  const built = buildCoreConfig(base.configSource(overrides), { ...base.OPTIONS, ...options });
  return {
    ...built,
    config: built.config as Record<string, JsonObject> & { inbounds: JsonObject[]; outbounds: JsonObject[] },
  };
}

const withTemplate = (change: JsonObject) => build({ template: { ...base.TEMPLATE, ...change } });
const rulesOf = (config: Record<string, JsonObject>) => (config['routing'] ?? {})['rules'] as JsonObject[];
const tagsOf = (list: JsonObject[]) => list.map((item) => item['tag']);

describe('a template the core would refuse', () => {
  it.each(BROKEN_TEMPLATES)('is built around what is wrong: $name', (row) => {
    const { leftOut, warnings } = buildCoreConfig(sourceOf(row), base.OPTIONS);
    expect(leftOut.map(({ kind, name }) => ({ kind, name }))).toEqual(row.leftOut);
    expect(warnings).toHaveLength(row.warnings);
  });
});

describe('log paths', () => {
  it.each([
    ['', ''],
    ['none', 'none'],
    ['access.log', '/var/log/panel/access.log'],
    ['/etc/passwd', '/var/log/panel/passwd'],
    ['../../etc/cron.d/x', '/var/log/panel/x'],
    ['C:\\Windows\\x.log', '/var/log/panel/x.log'],
    ['/', ''],
    ['/a/..', ''],
  ])('%j becomes %j', (stored, confined) => {
    const { config } = withTemplate({ log: { access: stored, error: stored, loglevel: 'warning' } });
    expect(config['log']).toEqual({ access: confined, error: confined, loglevel: 'warning' });
  });

  it('use the separator of the log folder', () => {
    const template = { ...base.TEMPLATE, log: { error: '/x/error.log' } };
    const { config } = build({ template }, { logFolder: 'C:\\panel\\logs' });
    expect(config['log']).toEqual({ error: 'C:\\panel\\logs\\error.log' });
  });
});

describe('logs of TLS keys', () => {
  it('lie in the log folder, wherever a stream names another place', () => {
    const certificates = [{ certificate: ['c'], key: ['k'] }];
    const tls = { security: 'tls', tlsSettings: { masterKeyLog: '../../panel.db', certificates } };
    const nested = { xhttpSettings: { extra: { downloadSettings: { TLSSettings: { MasterKeyLog: '/etc/x' } } } } };
    const stored = base.source({ streamSettings: { network: 'tcp', ...tls } });
    const own = { tag: 'own', protocol: 'socks', port: 1080, streamSettings: tls };
    const outbound = { tag: 'out', protocol: 'vless', streamSettings: { network: 'xhttp', ...tls, ...nested } };
    const template = { ...base.TEMPLATE, inbounds: [own], outbounds: [outbound] };
    const { config } = build({ template, inbounds: [stored] });
    const text = JSON.stringify([config.inbounds, config.outbounds]);
    expect(text.match(/"masterKeyLog":"[^"]*"/gi)).toEqual([
      '"masterKeyLog":"logs/panel.db"',
      '"masterKeyLog":"logs/panel.db"',
      '"masterKeyLog":"logs/panel.db"',
      '"MasterKeyLog":"logs/x"',
    ]);
    for (const none of ['', 'none']) {
      const streamSettings = { network: 'tcp', security: 'tls', tlsSettings: { masterKeyLog: none, certificates } };
      const { inbounds } = build({ inbounds: [base.source({ streamSettings })] }).config;
      expect(inbounds[0]).toMatchObject({ streamSettings: { tlsSettings: { masterKeyLog: none } } });
    }
  });
});

describe('the API', () => {
  it('has its own listener; the tunnel and its rule are gone, other rules stay', () => {
    const { config } = build({ template: defaultTemplate() });
    expect(config['api']).toEqual({
      tag: 'api',
      services: ['HandlerService', 'LoggerService', 'StatsService', 'RoutingService'],
      listen: '127.0.0.1:40001',
    });
    expect(config.inbounds).toEqual([]);
    expect(rulesOf(config).map((rule) => rule['outboundTag'])).toEqual(['blocked', 'blocked']);
  });

  it.each([{ inboundTag: ['api'] }, { inboundTag: 'api' }])(
    'does not depend on routing: %j goes, wherever it stands',
    (rule) => {
      const catchAll = { type: 'field', network: 'tcp,udp', outboundTag: 'direct' };
      const { config } = withTemplate({ routing: { rules: [catchAll, { ...rule, outboundTag: 'api' }, catchAll] } });
      expect(config['routing']).toMatchObject({ rules: [catchAll, catchAll] });
    },
  );

  it('follows the tag of the template', () => {
    const inbounds = ['mine', 'api'].map((tag) => ({
      tag,
      protocol: 'tunnel',
      port: 1,
      listen: '127.0.0.1',
      settings: {},
    }));
    const { config } = withTemplate({ api: { tag: 'mine' }, inbounds });
    expect(config['api']).toMatchObject({ tag: 'mine' });
    expect(tagsOf(config.inbounds)).toEqual(['api']);
  });

  it('is created when the template has none, and never listens where the template says', () => {
    expect(withTemplate({}).config['api']).toMatchObject({ tag: 'api', listen: '127.0.0.1:40001' });
    expect(withTemplate({ api: { listen: '0.0.0.0:1' } }).config['api']).toMatchObject({ listen: '127.0.0.1:40001' });
  });

  it('keeps listed services in any spelling, and offers observatory data only with an observatory', () => {
    const services = ['handlerservice', 'ReflectionService', 'observatoryservice'];
    expect(withTemplate({ api: { services } }).config['api']?.['services']).toEqual([
      'handlerservice',
      'ReflectionService',
      'LoggerService',
      'StatsService',
      'RoutingService',
    ]);
    const watched = withTemplate({ observatory: { subjectSelector: ['a'] } });
    expect(watched.config['api']?.['services']).toContain('ObservatoryService');
    const burst = withTemplate({ burstObservatory: { subjectSelector: ['a'], pingConfig: {} } });
    expect(burst.config['api']?.['services']).toContain('ObservatoryService');
  });
});

describe('statistics', () => {
  it('are on for every level, and stay as they are for outbounds', () => {
    const policy = {
      levels: { '0': { handshake: 4, statsUserUplink: false }, '1': { statsUserOnline: false } },
      system: { statsInboundUplink: false, statsOutboundUplink: false },
    };
    const { config } = withTemplate({ policy });
    expect(config['stats']).toEqual({});
    expect(config['policy']).toEqual({
      levels: {
        '0': { handshake: 4, statsUserUplink: true, statsUserDownlink: true, statsUserOnline: true },
        '1': { statsUserOnline: true },
      },
      system: { statsInboundUplink: true, statsInboundDownlink: true, statsOutboundUplink: false },
    });
  });

  it('are created when the template has no policy', () => {
    expect(withTemplate({}).config['policy']).toEqual({
      levels: { '0': { statsUserUplink: true, statsUserDownlink: true, statsUserOnline: true } },
      system: { statsInboundUplink: true, statsInboundDownlink: true },
    });
  });
});

describe('routing rules', () => {
  const rule = (change: JsonObject): JsonObject => ({ outboundTag: 'direct', ...change });

  it('that are switched off are dropped, and the switch is removed from the others', () => {
    const rules = [rule({ port: 1, enabled: false }), rule({ port: 2, enabled: true }), rule({ port: 3 })];
    const { config, leftOut } = withTemplate({ routing: { domainStrategy: 'AsIs', rules } });
    expect(config['routing']).toEqual({ domainStrategy: 'AsIs', rules: [rule({ port: 2 }), rule({ port: 3 })] });
    expect(leftOut).toEqual([]);
  });

  it('of a lost balancer close their connections instead of falling through to the default route', () => {
    const rules = [{ port: 1, balancerTag: 'gone' }];
    const { config } = withTemplate({ routing: { rules } });
    expect(config['routing']?.['rules']).toEqual([{ port: 1, outboundTag: 'missing-balancer-gone' }]);
  });

  it('on localOS count only for a core that supports it', () => {
    const template = { ...base.TEMPLATE, routing: { rules: [rule({ localOS: ['linux'] })] } };
    expect(build({ template }, { coreVersion: '26.8.30' }).leftOut).toEqual([]);
    expect(build({ template }, { coreVersion: '26.7.28' }).leftOut).toHaveLength(1);
    expect(build({ template }).leftOut).toHaveLength(1);
  });

  it('name their conditions in any letter case', () => {
    const { leftOut } = withTemplate({
      routing: { rules: [rule({ InboundTag: ['a'] }), rule({ sourceIP: ['::1'] })] },
    });
    expect(leftOut).toEqual([]);
  });

  it('exist even when the template has no routing, so that they can be replaced live', () => {
    expect(withTemplate({}).config['routing']).toEqual({ rules: [] });
  });
});

describe('outbounds', () => {
  const outbound = (tag: string): JsonObject => ({ tag, protocol: 'freedom' });

  it('of subscriptions stand around those of the template', () => {
    const subscribedOutbounds = { prepend: [outbound('first')], append: [outbound('last')] };
    const { config, warnings } = build({ subscribedOutbounds });
    expect(tagsOf(config.outbounds)).toEqual(['first', 'direct', 'last']);
    expect(warnings).toEqual([expect.stringContaining('first stands first and is the default route')]);
  });

  it('are left alone when they are not a list', () => {
    const { config } = build({
      template: { outbounds: {} },
      subscribedOutbounds: { prepend: [], append: [outbound('a')] },
    });
    expect(config.outbounds).toEqual({});
  });

  it('that cannot run leave a closed default route, never the next outbound', () => {
    const { config } = withTemplate({ outbounds: [{ tag: 'x', protocol: 'foo' }, outbound('direct')] });
    expect(config.outbounds[0]).toEqual({ tag: 'x', protocol: 'blackhole' });
  });

  it('of subscriptions in front leave their tag to one of the template', () => {
    const { config } = build({ subscribedOutbounds: { prepend: [outbound('direct'), outbound('y')], append: [] } });
    expect(tagsOf(config.outbounds)).toEqual(['y', 'direct']);
  });

  it('of subscriptions that cannot run let the next one take over', () => {
    const prepend = [{ tag: 'x', protocol: 'foo' }, outbound('y')];
    const { config } = build({ subscribedOutbounds: { prepend, append: [] } });
    expect(tagsOf(config.outbounds)).toEqual(['y', 'direct']);
  });

  it('get the current names of xhttp sessions, in their download half too', () => {
    const old = { sessionPlacement: 'header', sessionKey: 'X' };
    const streamSettings = { xhttpSettings: { ...old, downloadSettings: { xhttpSettings: old } } };
    const { config } = withTemplate({ outbounds: [{ ...outbound('a'), streamSettings }] });
    const current = { sessionIDPlacement: 'header', sessionIDKey: 'X' };
    expect(config.outbounds[0]?.['streamSettings']).toEqual({
      xhttpSettings: { ...current, downloadSettings: { xhttpSettings: current } },
    });
  });

  it('keep an existing current name over the old one', () => {
    const streamSettings = { xhttpSettings: { sessionPlacement: 'header', sessionIDPlacement: 'query' } };
    const { config } = withTemplate({ outbounds: [{ ...outbound('a'), streamSettings }] });
    expect(config.outbounds[0]?.['streamSettings']).toEqual({ xhttpSettings: { sessionIDPlacement: 'query' } });
  });
});

describe('inbounds', () => {
  const inbound = (tag: string, port: number) => base.source({ tag, port });

  it('stand in the given order behind those of the template', () => {
    const template = {
      ...base.TEMPLATE,
      inbounds: [{ tag: 'socks', protocol: 'mixed', port: 1, listen: '127.0.0.1' }],
    };
    const { config } = build({ template, inbounds: [inbound('b', 2), inbound('a', 3)] });
    expect(tagsOf(config.inbounds)).toEqual(['socks', 'b', 'a']);
  });

  it('with a tag that is taken are left out', () => {
    const { config, leftOut } = build({ inbounds: [inbound('a', 2), inbound('a', 3)] });
    expect(config.inbounds.map((item) => item['port'])).toEqual([2]);
    expect(leftOut).toMatchObject([{ kind: 'inbound', name: 'a' }]);
  });

  it('on the port of the API are left out, others with that number are not', () => {
    const listens = ['127.0.0.1', '', '10.0.0.1'];
    const inbounds = listens.map((listen, index) => base.source({ tag: `t${index}`, listen, port: 40_001 }));
    const udp = base.source({ tag: 'udp', port: 40_001, streamSettings: { network: 'kcp' } });
    const { config, leftOut } = build({ inbounds: [...inbounds, udp] });
    expect(leftOut.map((entry) => entry.name)).toEqual(['t0', 't1']);
    expect(tagsOf(config.inbounds)).toEqual(['t2', 'udp']);
    const apiListen = '/run/core.sock,0600';
    expect(build({ inbounds }, { apiListen }).leftOut).toEqual([]);
    const onSocket = ['/run/core.sock,0666', '/run/other.sock'].map((listen, at) =>
      base.source({ tag: `s${at}`, listen }),
    );
    expect(build({ inbounds: onSocket }, { apiListen }).leftOut.map(({ name }) => name)).toEqual(['s0']);
  });

  it('that share a port run, and the operator is warned', () => {
    const { warnings, config } = build({ inbounds: [inbound('a', 2), inbound('b', 2)] });
    expect(config.inbounds).toHaveLength(2);
    expect(warnings).toEqual([expect.stringContaining('Inbounds a and b share port 2')]);
  });

  it('that share a port with one of the template, too', () => {
    const own = (more: JsonObject) => ({ tag: 'own', protocol: 'socks', listen: '127.0.0.1', port: '1-3', ...more });
    const warningsWith = (more: JsonObject, port = 2) =>
      build({ template: { ...base.TEMPLATE, inbounds: [own(more)] }, inbounds: [inbound('a', port)] }).warnings;
    const shared = [expect.stringContaining('Inbounds own and a share port 2')];
    expect(warningsWith({})).toEqual(shared);
    expect(warningsWith({ port: 2, listen: '' })).toEqual(shared);
    expect(warningsWith({}, 4)).toEqual([]);
    expect(warningsWith({ listen: '10.0.0.1' })).toEqual([]);
    const udp = { protocol: 'dokodemo-door', settings: { network: 'udp', address: '1.1.1.1' } };
    expect(warningsWith(udp)).toEqual([]);
  });

  it('keep running when one of them is bad', () => {
    const { config, leftOut } = build({ inbounds: [base.source({ tag: 'bad', port: 0 }), inbound('good', 2)] });
    expect(tagsOf(config.inbounds)).toEqual(['good']);
    expect(leftOut[0]?.reason).toBe('Inbound bad does not run: port must be at least 1.');
  });
});

describe('metrics', () => {
  it.each([
    [{ listen: '127.0.0.1:11111' }, { listen: '127.0.0.1:11111' }, 0],
    [{ tag: 'm', listen: 'foo' }, { tag: 'm' }, 1],
    [{ listen: '127.0.0.1:40443' }, undefined, 1],
    [{}, undefined, 0],
  ])('%j becomes %j next to an inbound on port 40443', (metrics, expected, warned) => {
    for (const listen of ['127.0.0.1', '']) {
      const inbounds = [base.source({ listen })];
      const { config, warnings } = build({ template: { ...base.TEMPLATE, metrics }, inbounds });
      expect(config['metrics']).toEqual(expected);
      expect(warnings).toHaveLength(warned);
    }
  });
});

describe('egress bridges', () => {
  const bridge = { tag: 'panel-egress', target: 'direct', firstPort: 62_790 };

  it('are loopback inbounds on a free port, with their rule in front of all others', () => {
    const template = { ...base.TEMPLATE, routing: { rules: [{ port: 1, outboundTag: 'direct' }] } };
    const { config } = build({ template, inbounds: [base.source({ port: 62_790 })], bridges: [bridge] });
    expect(config.inbounds.at(-1)).toEqual({
      tag: 'panel-egress',
      listen: '127.0.0.1',
      port: 62_791,
      protocol: 'socks',
      settings: { auth: 'noauth', udp: false },
    });
    expect(rulesOf(config)[0]).toEqual({
      inboundTag: ['panel-egress'],
      outboundTag: 'direct',
    });
  });

  it('prefer a balancer of that name to an outbound, even a subscribed one', () => {
    const template = { ...base.TEMPLATE, routing: { balancers: [{ tag: 'both', selector: ['a'] }] } };
    const append = [{ tag: 'both', protocol: 'freedom' }];
    const bridges = [{ ...bridge, target: 'both' }];
    const { config } = build({ template, subscribedOutbounds: { prepend: [], append }, bridges });
    expect(rulesOf(config)[0]).toMatchObject({ balancerTag: 'both' });
  });

  it.each([
    ['without target', [{ ...bridge, target: 'gone' }]],
    ['of a taken tag', [{ ...bridge, tag: 'in-1' }]],
  ])('%s are skipped as a whole', (_, bridges) => {
    const { config, warnings } = build({ inbounds: [base.source()], bridges });
    expect(tagsOf(config.inbounds)).toEqual(['in-1']);
    expect(config['routing']?.['rules']).toEqual([]);
    expect(warnings).toHaveLength(1);
  });
});

describe('the whole config', () => {
  it('keeps sections and members of the template that the panel does not know', () => {
    const { config } = withTemplate({ version: { min: '25.8.3' }, dns: { servers: ['1.1.1.1'] }, future: { a: [1] } });
    expect(config).toMatchObject({ version: { min: '25.8.3' }, dns: { servers: ['1.1.1.1'] }, future: { a: [1] } });
  });

  it('has the same bytes for the same input, which it does not change', () => {
    const inbounds = GOOD_INBOUNDS.map(({ inbound }, index) => ({ ...inbound, tag: `t${index}`, port: 1000 + index }));
    const source = base.configSource({ template: defaultTemplate(), inbounds });
    const before = JSON.stringify(source);
    const first = JSON.stringify(buildCoreConfig(source, base.OPTIONS));
    expect(JSON.stringify(buildCoreConfig(structuredClone(source), base.OPTIONS))).toBe(first);
    expect(JSON.stringify(source)).toBe(before);
  });

  it('is built from any template without throwing', () => {
    const sections = fc.constantFrom(
      'log',
      'api',
      'inbounds',
      'outbounds',
      'routing',
      'policy',
      'metrics',
      'stats',
      'reverse',
    );
    const template = fc.dictionary(
      fc.oneof(sections, fc.string()),
      fc.jsonValue({ maxDepth: 4 }),
    ) as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(template, (stored) => {
        const frozen = JSON.stringify(stored);
        build({ template: stored, inbounds: [base.source()] });
        expect(JSON.stringify(stored)).toBe(frozen);
      }),
    );
  });
});
