import { expect, test } from 'vitest';
import * as z from 'zod';
import type { JsonObject } from './contract/json.ts';
import { toValidationIssues } from './contract/validation.ts';
import { forAllTests } from './testing/for-each-test.ts';
import { API_TOKEN } from './testing/credentials.ts';
import { openPanel } from './testing/panels/open-panel.ts';

/** Values that must not break any field: sent as JSON text, since some cannot be written as a value. */
const HOSTILE: readonly string[] = [
  'null',
  'true',
  '-1',
  '0',
  '1.5',
  '1e308',
  '9007199254740993',
  '70000',
  '""',
  '" "',
  String.raw`"\u0000"`,
  String.raw`"a\u0000b"`,
  String.raw`"\ud800"`,
  '"__proto__"',
  '"constructor"',
  '"../../../etc/passwd"',
  `"1' OR '1'='1"`,
  '"1 OR 1=1"',
  '"%"',
  '"<script>alert(1)</script>"',
  '"{\\"__proto__\\":{\\"polluted\\":true}}"',
  '"[[[[{"',
  '[]',
  '[null]',
  '[0]',
  '["\\u0000"]',
  '{}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
];
const AT_ONCE = 16;
const LONG = JSON.stringify('x'.repeat(1_000_000));
const DEEP = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
const WHOLE_BODIES = ['', '{', 'null', '[]', '"text"', '5', '{"__proto__":{"polluted":true}}', DEEP, `{"a":${DEEP}}`];
const PARAMS = [
  '0',
  '-1',
  '1e3',
  '1.5',
  '1%20OR%201=1',
  '%00',
  '..%2f..%2fetc',
  '__proto__',
  '9'.repeat(40),
  'x'.repeat(4_000),
  '%ff',
];
/** These end the panel or this test's own credentials; each has its own tests. */
const SPARED = /restartPanel|setting\/apiTokens\/(delete|setEnabled)|sessions\/end|updateUser|logout/;

const panel = forAllTests(() => openPanel({ startMs: Date.now(), isWithoutCore: true }));

/** Every endpoint of the panel; settings last, since they may lock this caller out. */
const endpoints = () =>
  panel.app.mounted.endpoints
    .filter(({ path, access }) => access === 'admin' && !SPARED.test(path))
    .toSorted((a, b) => Number(a.path.includes('/setting/')) - Number(b.path.includes('/setting/')));

async function send(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
  const response = await fetch(new URL(path.slice(1), panel.app.panel.url), {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${API_TOKEN}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, text: await response.text() };
}

/** Logged unexpected failures, with the request that caused them, since the last call. */
function surprises(request: string): string[] {
  return panel.log.lines
    .splice(0)
    .filter(({ level, event }) => level === 'error' && event === 'http.unexpected')
    .map(({ fields }) => `${request}: ${JSON.stringify(fields).slice(0, 600)}`);
}

test('path parameters of every endpoint', async () => {
  const found: string[] = [];
  for (const { method, path } of endpoints().filter((endpoint) => endpoint.path.includes(':')))
    for (const value of PARAMS) {
      const { status } = await send(method, path.replaceAll(/:\w+/g, value));
      if (status >= 500) found.push(`${method} ${path} ${value.slice(0, 40)}: ${status}`);
      found.push(...surprises(`${method} ${path} ${value.slice(0, 40)}`));
    }
  expect(found).toEqual([]);
});

test('values of the wrong kind are refused with the name of the field', async () => {
  const node = { name: 'n', address: '192.0.2.1', port: 443, apiToken: 't', enable: false };
  const total = { email: 'a', up: 1, down: 1 };
  const template = (routing: object) => ({
    xraySetting: JSON.stringify({ outbounds: [{ protocol: 'freedom', tag: 'direct' }], routing }),
  });
  const client = (more: object) => ({ client: { email: 'a', ...more }, inboundIds: [1] });
  const wrong: [path: string, body: object, field: string][] = [
    ['nodes/add', { ...node, tlsVerifyMode: 'sometimes' }, 'tlsVerifyMode'],
    ['nodes/add', { ...node, inboundSyncMode: 'some' }, 'inboundSyncMode'],
    ['nodes/test', { ...node, port: '1e3' }, 'port'],
    ['core/update', template({ rules: 'all of it' }), 'routing.rules'],
    ['core/preview', template({ rules: { 0: {} } }), 'routing.rules'],
    ['core/update', template({ balancers: 'b' }), 'routing.balancers'],
    ['core/routeTest', { ip: '192.0.2.1', port: '1e2' }, 'port'],
    ['core/routeTest', { domain: 'a.example\r\nb' }, 'domain'],
    ['core/balancerStatus', { tags: 'a\nb' }, 'tags'],
    ['core/vpn/reg', { token: 'a\r\nX-Header: b' }, 'token'],
    ['server/scanRealityTarget', { target: 'a.exam\r\nple' }, 'target'],
    ['server/scanRealityTarget', { target: 'a.example', sni: 'b\r\nc' }, 'sni'],
    ['server/scanRealityTargets', { targets: 'a.exam\nple' }, 'targets'],
    ['server/getRemoteCertHash', { server: 'a.exam\nple' }, 'server'],
    ['server/logs/5', { syslog: 'perhaps' }, 'syslog'],
    ['inbounds/pushClientTraffics', { masterGuid: 'g', traffics: [total, { ...total, up: 'x' }] }, 'traffics[1].up'],
    ['inbounds/pushClientTraffics', { masterGuid: 'g', traffics: [{ ...total, down: 9e30 }] }, 'traffics[0].down'],
    ['clients/add', client({ tgId: 'x' }), 'client.tgId'],
    ['clients/add', client({ group: 'a\r\nb' }), 'client.group'],
    ['clients/groups/create', { name: 'a\nb' }, 'name'],
    ['core/outbound-subs', { url: 'https://a.example', prepend: 'yes' }, 'prepend'],
    ['setting/apiTokens/create', { name: 'a\r\nb' }, 'name'],
  ];
  for (const [path, body, field] of wrong) {
    const response = JSON.parse((await send('POST', `/panel/api/${path}`, JSON.stringify(body))).text) as {
      success: boolean;
      obj: { issues?: { field: string }[] } | null;
    };
    const fields = response.obj?.issues?.map((issue) => issue.field);
    expect([path, response.success, fields]).toEqual([path, false, [field]]);
  }
});

test('bodies of every endpoint: as a whole, and field by field in an otherwise well-formed one', async () => {
  const found: string[] = [];
  let tried = 0;
  let sent = 0;
  for (const endpoint of endpoints()) {
    if (endpoint.method === 'GET' || endpoint.body === undefined) continue;
    const path = endpoint.path.replaceAll(/:\w+/g, '1');
    const sample = sampleOf(endpoint.body);
    const bodies = [...WHOLE_BODIES];
    for (const key of Object.keys(sample)) {
      let isRefusalSent = false;
      for (const value of [...HOSTILE, LONG, DEEP]) {
        const rest = Object.entries(sample).filter(([name]) => name !== key);
        const parts = [
          `${JSON.stringify(key)}:${value}`,
          ...rest.map(([name, v]) => `${JSON.stringify(name)}:${JSON.stringify(v)}`),
        ];
        const body = `{${parts.join(',')}}`;
        tried += 1;
        // What the contract refuses goes no further: one of these refusals per field is sent over HTTP.
        const isRefused = isRefusedByContract(endpoint.body, body);
        if (!isRefused || !isRefusalSent) bodies.push(body);
        isRefusalSent ||= isRefused;
      }
    }
    sent += bodies.length;
    // Several at a time: some look up names and addresses that do not exist, and wait for the result.
    for (let at = 0; at < bodies.length; at += AT_ONCE) {
      const group = bodies.slice(at, at + AT_ONCE);
      const statuses = await Promise.all(group.map((body) => send(endpoint.method, path, body)));
      const requests = group.map((body) => `${endpoint.method} ${path} ${body.slice(0, 120)}`);
      for (const [index, { status }] of statuses.entries())
        if (status >= 500) found.push(`${requests[index]}: ${status}`);
      found.push(...surprises(requests.join('\n')));
    }
  }
  expect(found).toEqual([]);
  expect(tried).toBeGreaterThan(10_000);
  expect(sent).toBeGreaterThan(2_000);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  // Thousands of requests.
}, 300_000);

test('afterwards every list still answers in the shape of its contract', async () => {
  const found: string[] = [];
  let succeeded = 0;
  for (const { method, path, response = 'envelope', result } of endpoints()) {
    if (method !== 'GET' || path.includes(':')) continue;
    const { status, text } = await send('GET', path);
    if (status >= 500) found.push(`GET ${path}: ${status}`);
    found.push(...surprises(`GET ${path}`));
    if (status !== 200 || response !== 'envelope') continue;
    const { success, obj } = JSON.parse(text) as { success: boolean; obj: unknown };
    const read = result.safeParse(obj);
    succeeded += success ? 1 : 0;
    if (success && !read.success) found.push(`GET ${path}: ${read.error.message.slice(0, 600)}`);
  }
  expect(found).toEqual([]);
  expect(succeeded).toBeGreaterThan(40);
});

/** Checks a body as the panel does; what throws here would be an unexpected failure there. */
function isRefusedByContract(schema: z.ZodType, body: string): boolean {
  const { success, error } = schema.safeParse(JSON.parse(body), { reportInput: true });
  return !success && toValidationIssues(error).length > 0;
}

/** A body of the right shape: the first value that each field's schema allows. */
function sampleOf(schema: z.ZodType): JsonObject {
  const sample = sampleOfJsonSchema(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as SchemaNode);
  const body = typeof sample === 'object' && sample !== null && !Array.isArray(sample) ? (sample as JsonObject) : {};
  // A non-existent name would be looked up at every request; this one is refused at once.
  return 'address' in body ? { ...body, address: '127.0.0.1' } : body;
}

interface SchemaNode {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  allOf?: SchemaNode[];
  properties?: Record<string, SchemaNode>;
  minimum?: number;
  minLength?: number;
  default?: unknown;
}

function sampleOfJsonSchema(node: SchemaNode): unknown {
  if (node.default !== undefined) return node.default;
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return node.enum[0];
  const [choice] = node.anyOf ?? node.oneOf ?? node.allOf ?? [];
  if (choice !== undefined) return sampleOfJsonSchema(choice);
  if (node.properties !== undefined)
    return Object.fromEntries(Object.entries(node.properties).map(([key, value]) => [key, sampleOfJsonSchema(value)]));
  if (node.type === 'string') return 'x'.repeat(Math.max(1, node.minLength ?? 1));
  if (node.type === 'integer' || node.type === 'number') return Math.max(1, node.minimum ?? 1);
  if (node.type === 'boolean') return false;
  if (node.type === 'array') return [];
  return {};
}
