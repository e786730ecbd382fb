import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { send, type TestResponse } from '../../../testing/peers/test-browser.ts';
import { openTestPanel, type TestPanel } from '../../../testing/panels/test-panel.ts';

const REFUSED = {
  success: false,
  msg: 'Invalid username or password or two-factor code.',
  obj: null,
  error: { code: 'session.refused', params: {} },
};
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const STEP_MS = 30_000;
const MINUTE_MS = 60_000;

let panel: TestPanel;
beforeEach(async () => {
  panel = await openTestPanel();
});
afterEach(() => panel.close());

const right = () => ({ username: panel.admin.username, password: panel.admin.password });
const code = (atMs = panel.time.clock()) =>
  new TOTP({ secret: Secret.fromBase32(SECRET) }).generate({ timestamp: atMs });
const cookieOf = (response: TestResponse) =>
  (response.headers['set-cookie'] ?? []).find((line) => line.startsWith('panel_session='));

describe('signing in', () => {
  test('with the default hash parameters', async () => {
    await panel.close();
    panel = await openTestPanel({ derive: 'real' });
    expect((await panel.browser().login({ ...right(), password: 'wrong' })).json).toEqual(REFUSED);
    expect((await panel.browser().login(right())).json?.success).toBe(true);
  });

  test('opens the API, with a cookie that scripts and other sites cannot read', async () => {
    const browser = panel.browser();
    const response = await browser.login(right());
    expect(response.status).toBe(200);
    expect(response.json).toEqual({ success: true, msg: 'You have successfully logged into your account.', obj: null });
    expect(response.headers['cache-control']).toBe('no-store');
    expect(cookieOf(response)).toMatch(/^panel_session=[\w-]{43}; Path=\/; Max-Age=21600; HttpOnly; SameSite=Lax$/);
    expect((await browser.get('panel/api/setting/apiTokens')).json).toEqual({ success: true, msg: '', obj: [] });
    expect(panel.events).toContainEqual({
      type: 'loginAttempt',
      ok: true,
      username: panel.admin.username,
      address: '127.0.0.1',
      reason: '',
    });
  });

  test('as a form, too', async () => {
    const browser = panel.browser();
    const sent = new URLSearchParams(right()).toString();
    const response = await browser.post('login', sent, { 'content-type': 'application/x-www-form-urlencoded' });
    expect(response.json?.success).toBe(true);
  });

  test('stores nothing that could open a session', async () => {
    const browser = await panel.signedIn();
    const cookie = browser.cookies.get('panel_session') ?? '';
    const rows = await panel.store.reader.selectFrom('sessions').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(cookie);
    expect(JSON.stringify(panel.log.lines) + JSON.stringify(panel.events)).not.toContain(panel.admin.password);
  });

  test('behind a trusted proxy with TLS the cookie is Secure', async () => {
    const response = await panel.browser().login(right(), { 'x-forwarded-proto': 'https' });
    expect(cookieOf(response)).toMatch(/; Secure$/);
  });

  test('a signed-in browser gets a new id and a new CSRF token, and its old session ends', async () => {
    const browser = panel.browser();
    const visitorToken = await browser.fetchCsrf();
    await browser.login(right());
    const first = { cookie: browser.cookieHeader(), csrf: await browser.fetchCsrf() };
    await browser.login(right());
    const csrf = await browser.fetchCsrf();
    expect(new Set([visitorToken, first.csrf, csrf]).size).toBe(3);
    expect(browser.cookieHeader()).not.toBe(first.cookie);
    const old = await send(`${panel.listening.url}panel/api/setting/apiTokens`, { headers: { cookie: first.cookie } });
    expect(old.status).toBe(404);
  });

  test('a planted session id is not adopted', async () => {
    const browser = panel.browser();
    browser.cookies.set('panel_session', 'A'.repeat(43));
    await browser.signIn(panel.admin.username, panel.admin.password);
    expect(browser.cookies.get('panel_session')).not.toBe('A'.repeat(43));
  });
});

describe('refusals', () => {
  test.each([
    [{}, 'Username is required'],
    [{ username: '', password: 'x' }, 'Username is required'],
    [{ username: 'x' }, 'Password is required'],
    [{ username: 'x', password: '' }, 'Password is required'],
    [{ username: 1, password: 'x' }, 'The input data format is invalid.'],
    [{ username: 'x', password: ['x'] }, 'The input data format is invalid.'],
    [{ username: 'x'.repeat(300), password: 'x' }, 'The input data format is invalid.'],
  ])('%j: %s', async (body, msg) => {
    const response = await panel.browser().login(body);
    expect(response).toMatchObject({ status: 200, json: { success: false, msg } });
    expect(panel.events).toEqual([]);
  });

  test('an unreadable body', async () => {
    const response = await panel.browser().post('login', '{"username":', { 'content-type': 'application/json' });
    expect(response.json).toMatchObject({ success: false, msg: 'The input data format is invalid.' });
  });

  test('incomplete bodies do not count as attempts', async () => {
    const browser = panel.browser();
    for (let i = 0; i < 6; i++) await browser.login({ username: panel.admin.username });
    expect((await browser.login(right())).json?.success).toBe(true);
  });

  test('an unknown user and a wrong password get the same response, set no cookie and are reported', async () => {
    for (const body of [
      { username: 'nobody', password: 'x' },
      { ...right(), password: 'x' },
    ]) {
      const response = await panel.browser().login(body);
      expect(response).toMatchObject({ status: 200, json: REFUSED });
      expect(cookieOf(response)).toBeUndefined();
      expect(panel.events.at(-1)).toEqual({
        type: 'loginAttempt',
        ok: false,
        username: body.username,
        address: '127.0.0.1',
        reason: 'invalid credentials',
      });
    }
    expect(panel.log.lines.filter((line) => line.event === 'session.refused')).toHaveLength(2);
  });

  test('user names are exact', async () => {
    for (const username of [panel.admin.username.toUpperCase(), ` ${panel.admin.username}`])
      expect((await panel.browser().login({ ...right(), username })).json).toEqual(REFUSED);
  });
});

describe('limits', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const wrong = () => ({ ...right(), password: 'wrong' });

  test('the fifth failure blocks this address and account for 15 minutes, with the wrong-password text', async () => {
    const browser = panel.browser();
    for (let i = 0; i < 5; i++) expect((await browser.login(wrong(), from('203.0.113.1'))).json).toEqual(REFUSED);
    expect((await browser.login(right(), from('203.0.113.1'))).json).toEqual(REFUSED);
    expect(panel.events.at(-1)).toMatchObject({ ok: false, reason: 'too many failed attempts' });
    await panel.time.advance(15 * MINUTE_MS - 1);
    expect((await browser.login(right(), from('203.0.113.1'))).json).toEqual(REFUSED);
    await panel.time.advance(1);
    expect((await browser.login(right(), from('203.0.113.1'))).json?.success).toBe(true);
  });

  test('a success clears earlier failures', async () => {
    const browser = panel.browser();
    for (let i = 0; i < 4; i++) await browser.login(wrong());
    await browser.login(right());
    for (let i = 0; i < 4; i++) await browser.login(wrong());
    expect((await browser.login(right())).json?.success).toBe(true);
  });

  test('a client that claims another address is still counted by its own', async () => {
    panel.settings.trustedProxyCIDRs = '10.0.0.0/8';
    const browser = panel.browser();
    for (let i = 0; i < 5; i++) await browser.login(wrong(), from(`203.0.113.${i}`));
    expect((await browser.login(right(), from('203.0.113.99'))).json).toEqual(REFUSED);
  });
});

describe('two-factor sign-in', () => {
  beforeEach(() => Object.assign(panel.settings, { twoFactorEnable: true, twoFactorToken: SECRET }));

  test('is announced, and requires a code', async () => {
    expect((await panel.browser().post('getTwoFactorEnable')).json?.obj).toBe(true);
    for (const twoFactorCode of [undefined, '', '000000', 'abcdef', '12345678901234567890']) {
      const response = await panel
        .browser()
        .login({ ...right(), twoFactorCode }, { 'x-forwarded-for': `203.0.113.${String(twoFactorCode).length}` });
      expect(response.json).toEqual(REFUSED);
      expect(panel.events.at(-1)).toMatchObject({ reason: 'invalid 2FA code' });
    }
    expect((await panel.browser().login({ ...right(), twoFactorCode: ` ${code()} ` })).json?.success).toBe(true);
  });

  test('a wrong code never asks the directory: how long that takes would tell whether the password is the stored one', async () => {
    await panel.close();
    const checked: string[] = [];
    panel = await openTestPanel({
      settings: { twoFactorEnable: true, twoFactorToken: SECRET },
      isRightElsewhere: async (_username, password) => checked.push(password) > 0 && password === 'of the directory',
    });
    const login = async (password: string, twoFactorCode: string) =>
      (await panel.browser().login({ ...right(), password, twoFactorCode })).json?.success;
    for (const password of ['wrong', right().password, 'of the directory'])
      expect(await login(password, '000000')).toBe(false);
    expect(checked).toEqual([]);
    expect(await login('of the directory', code())).toBe(true);
  });

  test.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])('a code of step %i: %s', async (steps, isAccepted) => {
    const twoFactorCode = code(panel.time.clock() + steps * STEP_MS);
    expect((await panel.browser().login({ ...right(), twoFactorCode })).json?.success).toBe(isAccepted);
  });

  test('a code works once, even for two simultaneous requests; an older one does not work after it', async () => {
    const twoFactorCode = code();
    const both = await Promise.all([1, 2].map(() => panel.browser().login({ ...right(), twoFactorCode })));
    expect(both.filter(({ json }) => json?.success === true)).toHaveLength(1);
    expect((await panel.browser().login({ ...right(), twoFactorCode })).json).toEqual(REFUSED);
    const older = code(panel.time.clock() - STEP_MS);
    expect((await panel.browser().login({ ...right(), twoFactorCode: older })).json).toEqual(REFUSED);
    await panel.time.advance(STEP_MS);
    expect((await panel.browser().login({ ...right(), twoFactorCode: code() })).json?.success).toBe(true);
  });

  test('a wrong password does not use the code up', async () => {
    const twoFactorCode = code();
    await panel.browser().login({ ...right(), password: 'wrong', twoFactorCode });
    expect((await panel.browser().login({ ...right(), twoFactorCode })).json?.success).toBe(true);
  });

  test.each(['', 'not base32 !!!', '1'])('a secret that is %j lets nobody in', async (twoFactorToken) => {
    panel.settings.twoFactorToken = twoFactorToken;
    expect((await panel.browser().login({ ...right(), twoFactorCode: code() })).json).toEqual(REFUSED);
  });
});

describe('visitor CSRF token', () => {
  test('stays while its cookie is valid, and nothing is stored for it', async () => {
    const browser = panel.browser();
    const first = await browser.fetchCsrf();
    expect(await browser.fetchCsrf()).toBe(first);
    expect(first).toMatch(/^[\w-]{43}$/);
    await panel.time.advance(60 * MINUTE_MS);
    expect((await browser.login(right())).status).toBe(403);
    expect(await browser.fetchCsrf()).not.toBe(first);
    expect((await browser.login(right())).json?.success).toBe(true);
    expect(await panel.store.reader.selectFrom('sessions').select('idHash').execute()).toHaveLength(1);
  });

  test('a forged cookie is invalid', async () => {
    const browser = panel.browser();
    const token = await browser.fetchCsrf();
    const [, issuedAt = '', signature = ''] = (browser.cookies.get('panel_csrf') ?? '').split('.');
    for (const cookie of [
      token,
      `${token}.${issuedAt}.`,
      `mine.${issuedAt}.${signature}`,
      `${token}.zzzzzzzz.${signature}`,
    ]) {
      const sent = cookie.split('.')[0] ?? '';
      const response = await send(`${panel.listening.url}login`, {
        method: 'POST',
        body: right(),
        headers: { cookie: `panel_csrf=${cookie}`, 'x-csrf-token': sent },
      });
      expect(response, cookie).toMatchObject({ status: 403, text: '' });
    }
  });
});
