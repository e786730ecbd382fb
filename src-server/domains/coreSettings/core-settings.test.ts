import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '../../contract/json.ts';
import { CoreApiError } from '../../core/api/api-error.ts';
import { defaultTemplate } from '../../core/config/template/default-template.ts';
import type { ApplyResult, ConfigVerdict } from '../../core/core.ts';
import type { TestBatch } from '../../core/probe/outbound-tester.ts';
import { forAllTests } from '../../testing/for-each-test.ts';
import { vlessBody } from '../../testing/panels/inbound-panel.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';
import { recordRuntime } from '../../testing/recording-runtime.ts';
import type { CoreSettings, SavePlan } from './contract.ts';
import type { RoutingToolsDeps } from './routing-tools.ts';

const BASE = '/core';
const BUILT_IN_URL = 'https://www.google.com/generate_204';

let runtime: ReturnType<typeof recordRuntime>;
/** How the fake core judges a template, and how it applies one. */
let verdict: ConfigVerdict;
let applyResult: ApplyResult;
let tested: JsonObject[];
let plan: SavePlan;
let api: RoutingToolsDeps['core'] extends { api(): infer A } ? A : never;
let overridden: [string, string][];
let batches: TestBatch[];

// Opened once: opening takes longer than most of these tests.
const panel = forAllTests(() =>
  openPanel({
    core: (core) =>
      Object.assign(core, {
        async test({ template }: { template: JsonObject }) {
          tested.push(template);
          return { ...verdict, warnings: ['REALITY: x'] };
        },
        apply: async () => applyResult,
        plan: async () => plan,
        api: () => api,
        async overrideBalancer(tag: string, target: string) {
          overridden.push([tag, target]);
          return true;
        },
        clearedOverride: (tag: string) => (tag === 'asia' ? 'exit' : ''),
        runningOutbounds: () => (api === null ? null : ['direct', 'exit', '_bl_eu', '_bl_asia']),
        async testOutbounds(batch: TestBatch) {
          batches.push(batch);
          return batch.outbounds.map(() => ({ tag: 'a', success: true, delay: 7, mode: batch.mode }));
        },
      }),
    app: {
      lookup: async (host) =>
        host === 'nowhere.test' ? [] : [{ address: host === 'inside.test' ? '10.0.0.1' : '93.184.216.34', family: 4 }],
    },
  }),
);
const templates = () => panel.parts.engine.templates;
const values = () => panel.parts.base.settings;
beforeAll(() => void (runtime = recordRuntime(panel.parts.engine.runtime)));
beforeEach(async () => {
  for (const key of ['coreTemplateConfig', 'coreOutboundTestUrl'] as const) await values().setHidden(key, '');
  verdict = { ok: true, text: '' };
  applyResult = { kind: 'live' };
  tested = [];
  plan = { kind: 'live', reason: '', changes: [{ part: 'routing', name: '', action: 'changed' }] };
  api = null;
  overridden = [];
  batches = [];
  runtime.applied.length = panel.events.length = 0;
});

const stored = () => values().hidden('coreTemplateConfig');
const save = (template: unknown, outboundTestUrl = '') =>
  panel.post(
    `${BASE}/update`,
    new URLSearchParams({
      xraySetting: typeof template === 'string' ? template : JSON.stringify(template),
      outboundTestUrl,
    }),
  );
const shown = async () => (await panel.post(`${BASE}/`)).obj as CoreSettings;

describe('inbounds of the template', () => {
  const inbounds = (...list: JsonObject[]) => ({ ...defaultTemplate(), inbounds: list });
  const byHand = (more: JsonObject): JsonObject => ({ tag: 'by-hand', protocol: 'socks', port: 4433, ...more });

  it('are refused at the field when the panel has their tag or their port', async () => {
    const { id } = await panel.done<{ id: number }>('/inbounds/add', vlessBody(4431, { tag: 'of-the-panel' }));
    onTestFinished(async () => void (await panel.done(`/inbounds/del/${id}`)));
    const refused = (code: string, field: string) => ({ error: { code }, obj: { issues: [{ field }] } });
    const named = byHand({ tag: 'of-the-panel', port: 4434 });
    expect(await save(inbounds(byHand({}), named))).toMatchObject(refused('inbound.tagTaken', 'inbounds[1].tag'));
    for (const port of [4431, '4431', '80,4430-4432'])
      expect(await save(inbounds(byHand({ port })))).toMatchObject(refused('inbound.portTaken', 'inbounds[0].port'));
    expect((await save(inbounds(byHand({ port: 2053 })))).error).toMatchObject({ code: 'inbound.portOfPanel' });
    const onUdp = byHand({ protocol: 'dokodemo-door', port: 4431, settings: { network: 'udp', address: '1.1.1.1' } });
    expect(await save(inbounds(onUdp))).toMatchObject({ success: true });
  });

  it('that were stored before block no other change', async () => {
    const clashing = inbounds(byHand({ port: 4432 }));
    await values().setHidden('coreTemplateConfig', JSON.stringify(clashing));
    const added = await panel.post('/inbounds/add', vlessBody(4432));
    expect(added.error).toMatchObject({ code: 'inbound.portOfTemplate' });
    await values().setHidden('coreTemplateConfig', '');
    const { id } = await panel.done<{ id: number }>('/inbounds/add', vlessBody(4432));
    onTestFinished(async () => void (await panel.done(`/inbounds/del/${id}`)));
    await values().setHidden('coreTemplateConfig', JSON.stringify(clashing));
    expect(await save({ ...clashing, log: { loglevel: 'error' } })).toMatchObject({ success: true });
    const edited = byHand({ port: 4432, sniffing: { enabled: true } });
    expect(await save(inbounds(edited))).toMatchObject({ success: true });
  });
});

describe('showing', () => {
  it('returns the built-in template until one is stored', async () => {
    const { xraySetting, inboundTags, clientReverseTags, outboundTestUrl } = await shown();
    expect(JSON.parse(xraySetting)).toEqual(defaultTemplate());
    expect([inboundTags, clientReverseTags, outboundTestUrl]).toEqual(['[]', '[]', BUILT_IN_URL]);
    expect((await panel.get(`${BASE}/getDefaultJsonConfig`)).obj).toEqual(defaultTemplate());
  });

  it('lists the inbound tags, and reverse tags of vless clients only', async () => {
    const ids = [await panel.inbound(1001), await panel.inbound(1002, { protocol: 'vmess', settings: {} })];
    const reverses = ['{"tag":" bridge "}', '{"tag":"bridge"}', '{"tag":"alpha"}', '{"tag":"hidden"}', '', '{broken'];
    for (const [index, reverse] of reverses.entries()) {
      await panel.add({ email: `c${index}` }, [ids[reverse.includes('hidden') ? 1 : 0]!]);
      panel.write('UPDATE clients SET reverse = ? WHERE email = ?', reverse, `c${index}`);
    }
    const { inboundTags, clientReverseTags } = await shown();
    expect(JSON.parse(inboundTags)).toEqual(['in-1001-tcp', 'in-1002-tcp']);
    expect(JSON.parse(clientReverseTags)).toEqual(['alpha', 'bridge']);
  });

  it('shows outbounds of subscriptions, and refuses an outbound of the same tag', async () => {
    expect(await shown()).not.toHaveProperty('subscriptionOutbounds');
    for (const [tag, prepend] of [
      ['sub1-a', 1],
      ['sub2-b', 0],
    ] as const) {
      const { id } = await panel.done<{ id: number }>('/core/outbound-subs', { url: 'http://nowhere.test/' });
      panel.write(
        'UPDATE outboundSubs SET prepend = ?, outbounds = ? WHERE id = ?',
        prepend,
        JSON.stringify([{ tag }]),
        id,
      );
    }
    onTestFinished(() => panel.write('DELETE FROM outboundSubs'));
    panel.events.length = 0;
    expect(await shown()).toMatchObject({
      subscriptionOutbounds: [{ tag: 'sub1-a' }, { tag: 'sub2-b' }],
      subscriptionOutboundTags: ['sub1-a', 'sub2-b'],
    });
    const outbounds = [
      { tag: 'direct', protocol: 'freedom' },
      { tag: 'sub2-b', protocol: 'blackhole' },
    ];
    expect(await save({ ...defaultTemplate(), outbounds })).toMatchObject({
      success: false,
      obj: { issues: [{ field: 'outbounds[1].tag', rule: 'unique' }] },
    });
    expect(await stored()).toBe('');
  });

  it('unwraps what an old page stored and returns a broken text as is', async () => {
    await values().setHidden('coreTemplateConfig', JSON.stringify({ xraySetting: JSON.stringify(defaultTemplate()) }));
    expect(JSON.parse((await shown()).xraySetting)).toEqual(defaultTemplate());
    expect(await templates().read()).toEqual(defaultTemplate());
    await values().setHidden('coreTemplateConfig', '{"outbounds":[');
    expect((await shown()).xraySetting).toBe('{"outbounds":[');
    await expect(templates().read()).rejects.toMatchObject({ code: 'coreSettings.storedTemplateInvalid' });
  });

  it('returns the output of a core that does not run', async () => {
    panel.core.lastOutput = () => 'Failed to start: bind: address already in use';
    expect(await panel.read(`${BASE}/getCoreResult`)).toBe('Failed to start: bind: address already in use');
  });
});

describe('saving', () => {
  it('replaces a stored template that cannot be read', async () => {
    await values().setHidden('coreTemplateConfig', '{"outbounds":[');
    expect(await save({ ...defaultTemplate(), future: 1 })).toMatchObject({ success: true });
    expect(await templates().read()).toMatchObject({ future: 1 });
  });

  it('tests, stores both values, applies them, and reports how', async () => {
    const template = { ...defaultTemplate(), version: { min: '26.0.0' }, future: [1, 2] };
    for (const [kind, msg] of [
      ['live', 'The parameters have been changed. The running core has taken them without a restart.'],
      ['restarted', 'The parameters have been changed. The core has been restarted.'],
      ['unchanged', 'The parameters have been changed.'],
      ['notRunning', 'The parameters have been changed. They take effect when the core is started.'],
    ] as const) {
      applyResult = { kind };
      expect(await save(template, 'http://example.com/204')).toEqual({
        success: true,
        msg,
        obj: {
          applied: kind,
          reason: kind === 'restarted' ? 'the core did not take the change live' : '',
          changes: kind === 'live' ? plan.changes : [],
          coreWarnings: ['REALITY: x'],
        },
      });
    }
    expect(tested[0]).toEqual(template);
    expect(runtime.applied).toEqual(Array.from({ length: 4 }, () => ({ everything: true })));
    expect(JSON.parse(await stored())).toEqual(template);
    expect((await shown()).outboundTestUrl).toBe('http://example.com/204');
    expect(panel.events[0]).toEqual({ type: 'invalidate', resource: 'outbounds' });
    expect(await templates().read()).toEqual(template);
  });

  it('accepts JSON, too, and an empty test URL as the built-in one', async () => {
    await save(defaultTemplate(), 'http://example.com/204');
    const response = await panel.post(
      `${BASE}/update`,
      { xraySetting: JSON.stringify(defaultTemplate()) },
      { 'X-Request-Id': 'r1' },
    );
    expect(response.success).toBe(true);
    expect((await shown()).outboundTestUrl).toBe(BUILT_IN_URL);
    expect(panel.events.at(-1)).toEqual({ type: 'invalidate', resource: 'outbounds', requestId: 'r1' });
  });

  it('unwraps a complete response that is sent back', async () => {
    const nested = { xraySetting: JSON.stringify({ xraySetting: defaultTemplate(), inboundTags: '[]' }) };
    expect((await save(nested)).success).toBe(true);
    expect(JSON.parse(await stored())).toEqual(defaultTemplate());
  });

  it('reports a core that refuses it while the template stays saved', async () => {
    applyResult = { kind: 'failed', text: 'bind: address already in use' };
    expect(await save(defaultTemplate())).toMatchObject({
      success: false,
      msg: 'The parameters are saved, but the core has not taken them: bind: address already in use',
      obj: null,
    });
    expect(JSON.parse(await stored())).toEqual(defaultTemplate());
  });
});

describe('refusing', () => {
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  const refusals: [string, unknown, string | RegExp][] = [
    ['no JSON', '{"outbounds":', /^core template config invalid: .*JSON/],
    ['no object', '[]', 'core template config invalid: it must be an object with the sections of a core config'],
    ['nothing but wrappers', '{"xraySetting":{"xraySetting":1}}', /^core template config invalid: /],
    ['no outbounds', {}, 'core template config outbounds is not an array: missing'],
    ['outbounds of another kind', { outbounds: {} }, 'core template config outbounds is not an array: object'],
    ['a bottomless text', `{"outbounds":[],"dns":${deep}}`, /nested deeper than 64 levels/],
    ['a prototype', '{"outbounds":[],"routing":{"__proto__":{}}}', /__proto__/],
    ['a NUL', { outbounds: [{ tag: 'a\0' }] }, /NUL/],
    [
      'a missing geo file',
      {
        outbounds: [],
        routing: { rules: [{ ip: ['geoip:cn'], domain: ['ext:../../etc/passwd:x'], outboundTag: 'a' }] },
      },
      'core template config invalid: it needs ../../etc/passwd, geoip.dat, which this panel does not have. ' +
        'Update the geo files, or remove the rules that name them.',
    ],
  ];
  it.each(refusals)('%s: with a message, and nothing changes', async (_name, template, msg) => {
    const response = await save(template, 'http://example.com/204');
    expect(response).toMatchObject({ success: false, msg: expect.stringMatching(msg), obj: null });
    expect(tested).toEqual([]);
    expect(runtime.applied).toEqual([]);
    expect(await stored()).toBe('');
    expect((await shown()).outboundTestUrl).toBe(BUILT_IN_URL);
    expect(panel.events).toEqual([]);
  });

  it('lists every violated rule of a template', async () => {
    const template = {
      api: { tag: 'api', listen: '0.0.0.0:62789' },
      outbounds: [
        { tag: 'a', protocol: 'freedom' },
        { tag: 'a', protocol: 'freedom' },
        { tag: 'odd', protocol: 'nonsense' },
      ],
      routing: { rules: [{ type: 'field', outboundTag: 'a' }] },
    };
    const { success, obj } = await save(template);
    expect(success).toBe(false);
    const { issues } = obj as { issues: { field: string; message: string }[] };
    expect(issues.map(({ field }) => field)).toEqual([
      'api.listen',
      'outbounds[1].tag',
      'outbounds[2]',
      'routing.rules[0]',
    ]);
    expect(issues.map(({ message }) => message).join()).toContain('the core has no outbound protocol "nonsense"');
    expect(await stored()).toBe('');
  });

  it.each(['ftp://example.com/', 'javascript:alert(1)', 'example.com', 'http://', `http://${'x'.repeat(3000)}/`])(
    'the test URL %s before anything is stored',
    async (url) => {
      const { success, obj } = await save(defaultTemplate(), url);
      expect(success).toBe(false);
      expect(obj).toHaveProperty('issues.0.field', 'outboundTestUrl');
      expect(await stored()).toBe('');
      expect(tested).toEqual([]);
    },
  );

  it("a core's refusal, with the tag of the outbound", async () => {
    verdict = {
      ok: false,
      text: 'infra/conf: failed to build outbound config with tag exit > infra/conf: vless without TLS or other encryption is prohibited',
    };
    const text = 'core rejects outbound "exit": vless without TLS or other encryption is prohibited';
    expect((await save(defaultTemplate())).msg).toBe(text);
    const template = defaultTemplate();
    const outbounds = [...(template['outbounds'] as JsonObject[]), { tag: 'exit', protocol: 'vless' }];
    const { obj } = await save({ ...template, outbounds });
    expect(obj).toMatchObject({ issues: [{ field: 'outbounds[2]', rule: 'coreSettings.handlerRejected' }] });
    verdict = { ok: false, text: 'app/router: this rule has no effective fields' };
    expect((await save(defaultTemplate())).msg).toBe(
      'core rejects the template: app/router: this rule has no effective fields',
    );
    expect(await stored()).toBe('');
    expect(runtime.applied).toEqual([]);
  });

  it('accepts a template whose geo files exist', async () => {
    await mkdir(panel.core.assetDir, { recursive: true });
    await writeFile(join(panel.core.assetDir, 'geoip.dat'), '');
    const template = {
      outbounds: [{ tag: 'a', protocol: 'freedom' }],
      routing: { rules: [{ ip: ['geoip:cn'], outboundTag: 'a' }] },
    };
    expect((await save(template)).success).toBe(true);
  });
});

describe('rewriting in the transaction of an inbound', () => {
  it('stores a change, and nothing when nothing differs or the transaction fails', async () => {
    const { store } = panel;
    expect(await store.write((trx) => templates().rewrite(trx, (template) => template))).toBe(false);
    expect(await stored()).toBe('');
    await expect(
      store.write(async (trx) => {
        await templates().rewrite(trx, (template) => ({ ...template, version: { min: '1' } }));
        throw new Error('the save failed later');
      }),
    ).rejects.toThrow('later');
    expect(await stored()).toBe('');
    expect(await store.write((trx) => templates().rewrite(trx, (template) => ({ ...template, stats: null })))).toBe(
      true,
    );
    expect(await templates().read()).toEqual({ ...defaultTemplate(), stats: null });
  });

  it('leaves an unreadable template alone', async () => {
    await values().setHidden('coreTemplateConfig', 'not json');
    expect(await panel.store.write((trx) => templates().rewrite(trx, () => ({})))).toBe(false);
    expect(await stored()).toBe('not json');
  });
});

describe('outbound traffic', () => {
  beforeAll(async () => {
    await panel.store.write(async (trx) => {
      await trx
        .insertInto('outboundTraffics')
        .values([
          { tag: 'direct', upBytes: 1, downBytes: 2 },
          { tag: 'warp', upBytes: Number.MAX_SAFE_INTEGER, downBytes: 5 },
        ])
        .execute();
    });
  });
  const traffic = async () => (await panel.get(`${BASE}/getOutboundsTraffic`)).obj;

  it('is listed with totals that stay exact', async () => {
    expect(await traffic()).toEqual([
      { id: expect.any(Number), tag: 'direct', up: 1, down: 2, total: 3 },
      { id: expect.any(Number), tag: 'warp', up: Number.MAX_SAFE_INTEGER, down: 5, total: Number.MAX_SAFE_INTEGER },
    ]);
  });

  it('is reset for one, for none and for all', async () => {
    const reset = (tag: string) => panel.post(`${BASE}/resetOutboundsTraffic`, new URLSearchParams({ tag }));
    expect(await reset('nobody')).toEqual({ success: true, msg: '', obj: '' });
    expect(await traffic()).toMatchObject([{ up: 1 }, { down: 5 }]);
    await reset('warp');
    expect(await traffic()).toMatchObject([{ total: 3 }, { total: 0 }]);
    await reset('-alltags-');
    expect(await traffic()).toMatchObject([{ total: 0 }, { total: 0 }]);
    expect(panel.events.at(-1)).toEqual({ type: 'invalidate', resource: 'outbounds' });
    expect((await reset('')).success).toBe(false);
  });
});

describe('preview', () => {
  it('reports what a save would do, and stores nothing', async () => {
    plan = { kind: 'restart', reason: 'section dns changed', changes: [] };
    const xraySetting = JSON.stringify(defaultTemplate());
    expect((await panel.post(`${BASE}/preview`, { xraySetting })).obj).toEqual(plan);
    expect((await panel.post(`${BASE}/preview`, { xraySetting: '{}' })).success).toBe(false);
    expect([await stored(), runtime.applied, panel.events]).toEqual(['', [], []]);
  });
});

describe('outbound tests', () => {
  const many = (fields: Record<string, string>) => panel.post(`${BASE}/testOutbounds`, new URLSearchParams(fields));

  it('passes on the list, its chain and the mode; only the stored URL is fetched', async () => {
    await save(defaultTemplate(), 'http://example.com/204');
    const { obj } = await many({
      outbounds: '[{"tag":"a"},5]',
      allOutbounds: '[{"tag":"b"},7]',
      mode: 'real',
      url: 'http://x/',
    });
    expect(obj).toHaveLength(2);
    expect(batches[0]).toMatchObject({ outbounds: [{ tag: 'a' }, 5], known: [{ tag: 'b' }], mode: 'real' });
    expect(String(batches[0]?.url)).toBe('http://example.com/204');
    await panel.post(`${BASE}/testOutbound`, new URLSearchParams({ outbound: '{"tag":"a"', allOutbounds: '{' }));
    expect(batches[1]).toMatchObject({ outbounds: [null], mode: 'http', known: /^Invalid allOutbounds JSON: / });
  });

  it.each(['http://inside.test/', 'http://127.0.0.1/', 'http://169.254.169.254/'])('never fetches %s', async (url) => {
    await save(defaultTemplate(), url);
    await many({ outbounds: '[{}]' });
    expect(batches[0]?.url).toEqual(expect.stringMatching(/private|internal|metadata|credential/i));
  });

  it.each([
    ['', 'outbounds parameter is required'],
    ['{', /^invalid outbounds JSON: /],
    ['{}', 'invalid outbounds JSON: not an array'],
    ['[{"__proto__":{}}]', 'invalid outbounds JSON: a field is named __proto__'],
    [JSON.stringify(Array.from({ length: 51 }, () => ({}))), /^too many outbounds in one request \(max 50\)$/],
  ])('refuses the list %s', async (outbounds, msg) => {
    expect(await many({ outbounds })).toMatchObject({ success: false, msg: expect.stringMatching(msg) });
    expect(batches).toEqual([]);
  });

  it('refuses a missing outbound', async () => {
    expect((await panel.post(`${BASE}/testOutbound`, {})).msg).toBe('outbound parameter is required');
  });
});

describe('balancers and routes', () => {
  const running = (): void => {
    api = {
      balancer: async (tag) => {
        if (tag === 'us') throw new CoreApiError('notFound', `cannot find tag ${tag}`);
        return { override: tag === 'asia' ? '_bl_eu' : '', selected: ['exit'] };
      },
      testRoute: async ({ domain }) => {
        if (domain === 'empty.test') throw new CoreApiError('refused', 'balancing strategy returns empty tag');
        return domain === 'none.test' ? null : { outboundTag: 'exit', groupTags: ['eu'] };
      },
    };
  };
  const call = async (path: string, fields: Record<string, string>) =>
    panel.post(`${BASE}/${path}`, new URLSearchParams(fields));

  it('lists balancers, as not running when the core is stopped or does not know them', async () => {
    const silent = (tag: string) => ({ tag, running: false, override: '', selected: [] });
    expect((await call('balancerStatus', { tags: 'eu,asia' })).obj).toEqual({
      eu: silent('eu'),
      asia: { ...silent('asia'), clearedOverride: 'exit' },
    });
    running();
    expect((await call('balancerStatus', { tags: ' eu,, us' })).obj).toEqual({
      eu: { tag: 'eu', running: true, override: '', selected: ['exit'] },
      us: silent('us'),
    });
  });

  it('overrides with an outbound, or a balancer through its loopback, and clears the override', async () => {
    expect((await call('balancerOverride', { tag: 'eu', target: 'exit' })).msg).toBe('core is not running');
    running();
    const loopbackTo = (tag: string) => ({ tag, protocol: 'loopback', settings: { inboundTag: tag } });
    const template = defaultTemplate();
    await save({
      ...template,
      outbounds: [...(template['outbounds'] as JsonObject[]), loopbackTo('_bl_eu'), loopbackTo('_bl_asia')],
      routing: {
        rules: ['eu', 'asia'].map((tag) => ({ inboundTag: [`_bl_${tag}`], balancerTag: tag })),
        balancers: ['eu', 'asia'].map((tag) => ({ tag, selector: ['d'] })),
      },
    });
    const override = (tag: string, target: string) => call('balancerOverride', { tag, target });
    for (const [tag, target] of [
      ['eu', 'exit'],
      ['asia', 'eu'],
      ['eu', ''],
    ] as const)
      expect((await override(tag, target)).obj).toBe('');
    expect(overridden).toEqual([
      ['eu', 'exit'],
      ['asia', '_bl_eu'],
      ['eu', ''],
    ]);
    // The core would send a connection in circles: itself, and a balancer that is overridden with it.
    for (const target of ['eu', 'asia'])
      expect((await override('eu', target)).msg).toBe(
        `traffic through "${target}" would come back to the balancer "eu"`,
      );
    expect((await call('balancerOverride', { target: 'exit' })).msg).toBe('tag is required');
    expect((await call('balancerOverride', { tag: 'us' })).msg).toBe('the running core has no balancer "us"');
    expect((await call('balancerOverride', { tag: 'eu', target: 'x' })).msg).toBe(
      'the running core has no outbound "x"',
    );
  });

  it('tests a route', async () => {
    expect((await call('routeTest', { domain: 'a.test' })).msg).toBe('core is not running');
    running();
    expect((await call('routeTest', { domain: 'a.test', port: '443' })).obj).toEqual({
      matched: true,
      outboundTag: 'exit',
      groupTags: ['eu'],
    });
    expect((await call('routeTest', { domain: 'none.test' })).obj).toEqual({ matched: false, outboundTag: '' });
    for (const [fields, msg] of [
      [{ domain: 'empty.test' }, 'the core cannot choose an outbound: balancing strategy returns empty tag'],
      [{}, 'domain or ip is required'],
      [{ ip: '1.2.3' }, 'invalid IP address: 1.2.3'],
      [{ ip: '1.2.3.4', port: '65536' }, 'invalid port'],
    ] as const)
      expect((await call('routeTest', fields)).msg).toBe(msg);
  });
});

describe('share links', () => {
  it('are parsed into outbounds, and invalid ones are listed', async () => {
    const link = 'trojan://secret@example.org:443?sni=example.org#Tokyo\nhttp://example.org';
    const { obj } = await panel.post(`${BASE}/parseLink`, { link });
    expect(obj).toMatchObject({
      outbounds: [{ tag: 'Tokyo', protocol: 'trojan', settings: { servers: [{ address: 'example.org', port: 443 }] } }],
      refused: [{ link: 'http://example.org', error: 'unsupported link scheme' }],
    });
    expect((await panel.post(`${BASE}/parseLink`, { link: ' ' })).success).toBe(false);
  });
});
