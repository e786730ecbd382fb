import { scryptSync } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { send } from '../../../testing/peers/test-browser.ts';
import { openTestPanel, type TestPanel } from '../../../testing/panels/test-panel.ts';
import { createPasswordHasher, type Derive } from './password-hash.ts';

/** Counts hashes, and holds them until they are released. */
function countingWork() {
  const work = { running: 0, most: 0, costs: [] as string[], released: Promise.resolve(), release: () => {} };
  const derive: Derive = async (password, salt, cost) => {
    work.costs.push(JSON.stringify(cost));
    work.most = Math.max(work.most, ++work.running);
    await work.released;
    work.running--;
    return scryptSync(password, salt, 32, { N: 2, r: 1, p: 1 });
  };
  return {
    work,
    derive,
    hold() {
      work.released = new Promise<void>((resolve) => (work.release = resolve));
    },
  };
}

let counting: ReturnType<typeof countingWork>;
let panel: TestPanel;
beforeEach(async () => {
  counting = countingWork();
  panel = await openTestPanel({ derive: counting.derive });
  counting.work.costs.length = 0;
});
afterEach(() => panel.close());

test('an unknown user costs exactly as much work as a wrong password, and as a right one', async () => {
  const { username, password } = panel.admin;
  const workFor = async (body: Record<string, string>) => {
    counting.work.costs.length = 0;
    await panel.browser().login(body);
    return [...counting.work.costs];
  };
  const unknown = await workFor({ username: 'nobody', password: 'x' });
  expect(unknown).toEqual(['{"N":32768,"r":8,"p":1}']);
  expect(await workFor({ username, password: 'x' })).toEqual(unknown);
  expect(await workFor({ username, password })).toEqual(unknown);
  Object.assign(panel.settings, { twoFactorEnable: true, twoFactorToken: 'JBSWY3DPEHPK3PXP' });
  expect(await workFor({ username, password, twoFactorCode: '000000' })).toEqual(unknown);
});

test('a blocked attempt costs no work', async () => {
  const browser = panel.browser();
  for (let i = 0; i < 5; i++) await browser.login({ username: 'x', password: 'x' });
  counting.work.costs.length = 0;
  await browser.login({ username: 'x', password: 'x' });
  expect(counting.work.costs).toEqual([]);
});

test('500 sign-ins at once: two are checked at a time, a few wait, the rest is refused; others work', async () => {
  const visitor = panel.browser();
  const csrf = await visitor.fetchCsrf();
  const token = await panel.token();
  counting.hold();
  let sentAway = 0;
  let enoughSentAway = (): void => {};
  const overloaded = new Promise<void>((resolve) => (enoughSentAway = resolve));
  const attempts = Array.from({ length: 500 }, async (_, i) => {
    const response = await send(`${panel.listening.url}login`, {
      method: 'POST',
      body: { username: `name ${i}`, password: 'x' },
      headers: {
        cookie: visitor.cookieHeader(),
        'x-csrf-token': csrf,
        'x-forwarded-for': `203.0.${Math.trunc(i / 200)}.${i % 200}`,
      },
    });
    if (response.status === 429 && ++sentAway === 500 - 34) enoughSentAway();
    return response;
  });
  await overloaded;
  const read = await send(`${panel.listening.url}panel/api/setting/apiTokens`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(read.status).toBe(200);
  expect(counting.work.running).toBe(2);
  counting.work.release();
  const responses = await Promise.all(attempts);
  expect(counting.work.most).toBe(2);
  expect(counting.work.costs).toHaveLength(34);
  const refused = responses.find(({ status }) => status === 429);
  expect(refused?.headers['retry-after']).toBe('1');
  expect(refused?.json).toMatchObject({
    success: false,
    msg: 'Too many sign-ins are being checked right now. Try again in a moment.',
    obj: null,
  });
  // Refused ones were not failures: they block no one.
  expect(panel.events.filter((event) => event.type === 'loginAttempt')).toHaveLength(34);
});

test('many simultaneous guesses for one account get no more than the limit allows', async () => {
  counting.hold();
  const visitor = panel.browser();
  const csrf = await visitor.fetchCsrf();
  const headers = { cookie: visitor.cookieHeader(), 'x-csrf-token': csrf };
  const url = `${panel.listening.url}login`;
  const body = { username: panel.admin.username, password: 'wrong' };
  const guesses = Array.from({ length: 20 }, () => send(url, { method: 'POST', body, headers }));
  const blocked = () =>
    panel.events.filter((event) => event.type === 'loginAttempt' && event.reason.startsWith('too many'));
  while (blocked().length < 15) await new Promise((resolve) => setImmediate(resolve));
  counting.work.release();
  await Promise.all(guesses);
  expect(counting.work.costs).toHaveLength(5);
});

test('hashes carry their parameters, and damaged ones never verify', async () => {
  const hasher = createPasswordHasher();
  const stored = await hasher.hash('correct horse');
  expect(stored).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await hasher.verify('correct horse', stored)).toBe(true);
  expect(await hasher.verify('correct horsE', stored)).toBe(false);
  expect(await hasher.hash('correct horse')).not.toBe(stored);
  const long = await hasher.hash('a'.repeat(1000));
  expect(await hasher.verify(`${'a'.repeat(999)}b`, long)).toBe(false);
  for (const damaged of [
    '',
    'x',
    '$2a$10$abcdefghijklmnopqrstuu',
    stored.slice(0, -1),
    stored.replace('32768', '9999999'),
  ])
    expect(await hasher.verify('correct horse', damaged)).toBe(false);
});
