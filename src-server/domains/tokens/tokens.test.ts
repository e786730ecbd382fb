import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { ADMIN } from '../../testing/credentials.ts';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';
import { send } from '../../testing/peers/test-browser.ts';
import type { CreatedApiToken } from './contract.ts';

const BASE = 'panel/api/setting/apiTokens';
const MINUTE_MS = 60_000;

let browser: Awaited<ReturnType<TestPanel['signedIn']>>;
const panel = forEachTest(openPanel);
beforeEach(async () => {
  panel.clear('apiTokens');
  browser = await panel.signedIn();
});

const create = async (name: string) => (await browser.post(`${BASE}/create`, { name })).json?.obj as CreatedApiToken;
const opens = async (token: string) =>
  (await send(`${panel.app.panel.url}${BASE}`, { headers: { authorization: `Bearer ${token}` } })).status === 200;

test('a token is shown once, works, and is stored as a hash', async () => {
  const response = await browser.post(`${BASE}/create`, { name: '  node 1 ' });
  const made = response.json?.obj as CreatedApiToken;
  expect(response.json).toEqual({
    success: true,
    msg: '',
    obj: { id: 1, name: 'node 1', enabled: true, createdAt: panel.clock(), token: made.token },
  });
  expect(made.token).toMatch(/^[0-9A-Za-z]{48}$/);
  expect(await opens(made.token)).toBe(true);
  const rows = await panel.store.reader.selectFrom('apiTokens').selectAll().execute();
  expect(rows).toEqual([
    {
      id: 1,
      name: 'node 1',
      tokenHash: createHash('sha256').update(made.token).digest('hex'),
      enabled: 1,
      createdAtMs: panel.clock(),
    },
  ]);
  await create('a later one');
  expect((await browser.get(BASE)).json?.obj).toEqual([
    { id: 1, name: 'node 1', enabled: true, createdAt: panel.clock() },
    { id: 2, name: 'a later one', enabled: true, createdAt: panel.clock() },
  ]);
  expect(JSON.stringify(panel.log.lines)).not.toContain(made.token);
  expect(panel.events).toContainEqual({ type: 'invalidate', resource: 'settings' });
});

test.each([
  [{}, 'token name is required'],
  [{ name: '' }, 'token name is required'],
  [{ name: ' \t ' }, 'token name is required'],
  [{ name: 'x'.repeat(65) }, 'token name must be 64 characters or fewer'],
  [{ name: '🔑'.repeat(65) }, 'token name must be 64 characters or fewer'],
  [{ name: 'x'.repeat(1_000_000) }, 'request body failed validation'],
  [{ name: 'taken' }, 'a token with that name already exists'],
  [{ name: ' taken ' }, 'a token with that name already exists'],
  [{ name: 5 }, 'request body failed validation'],
])('create %.60j: %s', async (body, msg) => {
  await create('taken');
  expect((await browser.post(`${BASE}/create`, body)).json).toMatchObject({ success: false, msg });
  expect(await panel.store.reader.selectFrom('apiTokens').select('id').execute()).toHaveLength(1);
});

test('64 characters fit, whatever they are', async () => {
  expect((await create('🔑'.repeat(64))).name).toBe('🔑'.repeat(64));
});

test('of two simultaneous creations with one name one succeeds', async () => {
  const both = await Promise.all([1, 2].map(() => browser.post(`${BASE}/create`, { name: 'same' })));
  expect(both.filter(({ json }) => json?.success === true)).toHaveLength(1);
});

test('switching off and deleting take effect on the next request', async () => {
  const { id, token } = await create('one');
  expect((await browser.post(`${BASE}/setEnabled/${id}`, { enabled: false })).json).toEqual({
    success: true,
    msg: '',
    obj: null,
  });
  expect(await opens(token)).toBe(false);
  expect(await panel.parts.base.tokens.hasEnabled()).toBe(false);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await browser.post(`${BASE}/setEnabled/${id}`, 'enabled=true', form)).json?.success).toBe(true);
  expect(await opens(token)).toBe(true);
  expect(await panel.parts.base.tokens.hasEnabled()).toBe(true);
  expect((await browser.post(`${BASE}/delete/${id}`)).json).toEqual({ success: true, msg: '', obj: null });
  expect(await opens(token)).toBe(false);
  // Deleting again is allowed, enabling again is not.
  expect((await browser.post(`${BASE}/delete/${id}`)).json?.success).toBe(true);
  expect((await browser.post(`${BASE}/setEnabled/${id}`, { enabled: true })).json).toMatchObject({
    success: false,
    msg: 'token not found',
  });
});

test.each(['0', '-1', 'abc', '1e3', '1%20OR%201=1', '9'.repeat(30), '01', '1.5'])('id %s is invalid', async (id) => {
  for (const verb of ['delete', 'setEnabled'])
    expect((await browser.post(`${BASE}/${verb}/${id}`, { enabled: false })).json).toMatchObject({
      success: false,
      msg: 'invalid token id',
    });
});

test('a value that is not a boolean changes nothing', async () => {
  const { id, token } = await create('one');
  for (const enabled of [0, 'no', null, []])
    expect((await browser.post(`${BASE}/setEnabled/${id}`, { enabled })).json?.success).toBe(false);
  expect(await opens(token)).toBe(true);
});

test('guesses and near misses are refused', async () => {
  const { token } = await create('one');
  const hash = createHash('sha256').update(token).digest('hex');
  for (const guess of [token.slice(0, -1), `${token}0`, token.toLowerCase(), hash, 'x'.repeat(600)])
    expect(await opens(guess)).toBe(false);
});

test('an older session needs the password again to change tokens, but not to read them', async () => {
  const { id } = await create('one');
  await panel.advance(15 * MINUTE_MS);
  const refused = await browser.post(`${BASE}/create`, { name: 'two' });
  expect(refused.json?.msg).toBe('Confirm this change with your current password or a two-factor code.');
  expect(refused.headers['x-error-code']).toBe('session.stepUpRequired');
  expect((await browser.post(`${BASE}/delete/${id}`)).json?.success).toBe(false);
  expect((await browser.post(`${BASE}/setEnabled/${id}`, { enabled: false })).json?.success).toBe(false);
  const wrong = await browser.post(`${BASE}/create`, { name: 'two', currentPassword: 'x' });
  expect(wrong.json?.msg).toBe('The current password or two-factor code is wrong.');
  const right = await browser.post(`${BASE}/create`, { name: 'two', currentPassword: ADMIN.password });
  expect(right.json?.success).toBe(true);
  expect((await browser.get(BASE)).json?.obj).toHaveLength(2);
});
