import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { send } from '../../testing/peers/test-browser.ts';
import { openTestPanel, type TestPanel } from '../../testing/panels/test-panel.ts';
import type { StepUpProof } from '../../contract/step-up-proof.ts';
import type { SessionView } from './contract.ts';
import type { CredentialCaller } from './credentials.ts';
import { createSessionService } from './service.ts';

const MINUTE_MS = 60_000;
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

let panel: TestPanel;
beforeEach(async () => {
  panel = await openTestPanel({ settings: { webBasePath: '/base/' } });
});
afterEach(() => panel.close());

type Browser = Awaited<ReturnType<TestPanel['signedIn']>>;
const isIn = async (browser: Browser) => (await browser.get('panel/api/setting/apiTokens')).status === 200;
const sessionsOf = async (browser: Browser) =>
  (await browser.get('panel/api/setting/sessions')).json?.obj as SessionView[];
const code = () => new TOTP({ secret: Secret.fromBase32(SECRET) }).generate({ timestamp: panel.time.clock() });

describe('the end of a session', () => {
  test('its length is absolute', async () => {
    panel.settings.sessionMaxAge = 30;
    const browser = await panel.signedIn();
    await panel.time.advance(30 * MINUTE_MS - 1);
    expect(await isIn(browser)).toBe(true);
    await panel.time.advance(1);
    expect(await isIn(browser)).toBe(false);
  });

  test('a shorter length applies to open sessions, too; a longer one does not', async () => {
    panel.settings.sessionMaxAge = 30;
    const browser = await panel.signedIn();
    panel.settings.sessionMaxAge = 10;
    await panel.time.advance(10 * MINUTE_MS);
    expect(await isIn(browser)).toBe(false);
    panel.settings.sessionMaxAge = 600;
    expect(await isIn(browser)).toBe(true);
    await panel.time.advance(20 * MINUTE_MS);
    expect(await isIn(browser)).toBe(false);
  });

  test('one that a shorter length has ended is not listed', async () => {
    panel.settings.sessionMaxAge = 30;
    await panel.signedIn();
    await panel.time.advance(10 * MINUTE_MS);
    const browser = await panel.signedIn();
    expect(await sessionsOf(browser)).toHaveLength(2);
    panel.settings.sessionMaxAge = 10;
    const [left, ...others] = await sessionsOf(browser);
    expect(others).toEqual([]);
    expect(left).toMatchObject({ current: true, expiresAt: left!.createdAt + 10 * MINUTE_MS });
  });

  test('signing out ends it on the server, not only in the browser', async () => {
    const browser = await panel.signedIn();
    const cookie = browser.cookieHeader();
    const response = await browser.post('logout');
    expect(response.json).toEqual({ success: true });
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers['set-cookie']).toEqual(
      ['/base/', '/'].map(
        (path) =>
          `panel_session=; Path=${path}; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax`,
      ),
    );
    const copied = await send(`${panel.listening.url}panel/api/setting/apiTokens`, { headers: { cookie } });
    expect(copied.status).toBe(404);
    expect(await panel.store.reader.selectFrom('sessions').selectAll().execute()).toEqual([]);
  });

  test('signing out without a session works, too, but needs the visitor token', async () => {
    expect((await panel.browser().post('logout')).json).toEqual({ success: true });
    expect((await send(`${panel.listening.url}logout`, { method: 'POST' })).status).toBe(403);
  });

  test('a raised epoch ends all of them', async () => {
    const browser = await panel.signedIn();
    await panel.store.write((trx) =>
      trx
        .updateTable('admins')
        .set(({ eb }) => ({ loginEpoch: eb('loginEpoch', '+', 1) }))
        .execute(),
    );
    expect(await isIn(browser)).toBe(false);
  });
});

describe('the list of sessions', () => {
  test('shows where and when each started, and which one is the caller', async () => {
    const first = await panel.signedIn();
    await panel.time.advance(1000);
    const second = panel.browser();
    await second.login(
      { username: panel.admin.username, password: panel.admin.password },
      { 'x-forwarded-for': '203.0.113.5', 'user-agent': '<b>Browser</b>' },
    );
    const list = await sessionsOf(second);
    const nowMs = panel.time.clock();
    expect(list).toEqual([
      {
        id: list[0]?.id,
        current: true,
        createdAt: nowMs,
        expiresAt: nowMs + 360 * MINUTE_MS,
        address: '203.0.113.5',
        userAgent: '<b>Browser</b>',
      },
      {
        id: list[1]?.id,
        current: false,
        createdAt: nowMs - 1000,
        expiresAt: nowMs - 1000 + 360 * MINUTE_MS,
        address: '127.0.0.1',
        userAgent: '',
      },
    ]);
    expect((await sessionsOf(first)).map(({ current }) => current)).toEqual([false, true]);
  });

  test('ends one of them, or all others', async () => {
    const [one, two, three] = [await panel.signedIn(), await panel.signedIn(), await panel.signedIn()];
    const target = (await sessionsOf(two)).find(({ current }) => current)?.id;
    expect((await one.post('panel/api/setting/sessions/end', { id: target })).json?.success).toBe(true);
    expect([await isIn(one), await isIn(two), await isIn(three)]).toEqual([true, false, true]);
    await one.post('panel/api/setting/sessions/end');
    expect([await isIn(one), await isIn(three)]).toEqual([true, false]);
    const unknown = await one.post('panel/api/setting/sessions/end', { id: target });
    expect(unknown.json).toMatchObject({ success: false, msg: 'session not found' });
    expect(await sessionsOf(one)).toHaveLength(1);
  });

  test('is read again by open pages after every sign-in and every end', async () => {
    const told = (): number =>
      panel.events.splice(0).filter((event) => event.type === 'invalidate' && event.resource === 'settings').length;
    const one = await panel.signedIn();
    expect(told()).toBe(1);
    const other = await panel.signedIn();
    expect(told()).toBe(1);
    await other.post('logout');
    expect(told()).toBe(1);
    await one.post('panel/api/setting/sessions/end');
    expect(told()).toBe(1);
  });

  test('is limited: the fifty-first sign-in ends the oldest, expired ones are removed', async () => {
    const oldest = await panel.signedIn();
    const [admin] = await panel.store.reader.selectFrom('admins').selectAll().execute();
    await panel.time.advance(1000);
    await panel.store.write(async (trx) => {
      for (let i = 0; i < 49; i++)
        await trx
          .insertInto('sessions')
          .values({
            idHash: `filler ${i}`,
            adminId: admin?.id ?? 0,
            loginEpoch: 0,
            csrfToken: 'x',
            createdAtMs: panel.time.clock(),
            expiresAtMs: panel.time.clock() + (i === 0 ? 10 : MINUTE_MS),
            address: '',
            userAgent: '',
          })
          .execute();
    });
    expect(await isIn(oldest)).toBe(true);
    await panel.signedIn();
    expect(await isIn(oldest)).toBe(false);
    await panel.time.advance(1000);
    await panel.signedIn();
    const rows = await panel.store.reader.selectFrom('sessions').select('idHash').execute();
    expect(rows).toHaveLength(50);
    expect(rows.map(({ idHash }) => idHash)).not.toContain('filler 0');
  });
});

describe('changing the credentials', () => {
  const change = (more: Record<string, unknown> = {}) => ({
    oldUsername: panel.admin.username,
    oldPassword: panel.admin.password,
    newUsername: 'captain',
    newPassword: 'a new password',
    ...more,
  });
  const path = 'panel/api/setting/updateUser';

  test('the caller continues under a new id, all others are signed out, the old credentials are invalid', async () => {
    const [caller, other] = [await panel.signedIn(), await panel.signedIn()];
    const before = { cookie: caller.cookieHeader(), csrf: await caller.fetchCsrf() };
    const response = await caller.post(path, change());
    expect(response.json).toEqual({
      success: true,
      msg: 'The admin credentials have been changed. All other sessions have ended.',
      obj: null,
    });
    expect(caller.cookieHeader()).not.toBe(before.cookie);
    expect(await isIn(caller)).toBe(true);
    expect(await caller.fetchCsrf()).not.toBe(before.csrf);
    expect(await isIn(other)).toBe(false);
    const old = await send(`${panel.listening.url}panel/csrf-token`, { headers: { cookie: before.cookie } });
    expect(old.status).toBe(307);
    const browser = panel.browser();
    expect(
      (await browser.login({ username: panel.admin.username, password: panel.admin.password })).json?.success,
    ).toBe(false);
    expect((await browser.login({ username: 'captain', password: 'a new password' })).json?.success).toBe(true);
  });

  test.each([
    ['abc', 'This password is short and easily guessed. Take at least 10 characters.'],
    ['qwerty123', 'This password is short and easily guessed. Take at least 10 characters.'],
    ['the Captain of it', 'This password contains the user name, which is the first thing to be tried.'],
  ])('%s is accepted as a password only on confirmation', async (newPassword, msg) => {
    const browser = await panel.signedIn();
    const refused = await browser.post(path, change({ newPassword }));
    expect(refused.json).toMatchObject({ success: false, msg, obj: { issues: [{ field: 'newPassword' }] } });
    expect(await isIn(browser)).toBe(true);
    const taken = await browser.post(path, change({ newPassword, acceptWeakPassword: true }));
    expect(taken.json?.success).toBe(true);
  });

  test('a short password that is hard to guess is accepted at once', async () => {
    const browser = await panel.signedIn();
    expect((await browser.post(path, change({ newPassword: 'k7#Qp2v' }))).json?.success).toBe(true);
  });

  test.each([
    ['a wrong user name', { oldUsername: 'other' }, 'The current username or password is invalid'],
    ['a wrong password', { oldPassword: 'other' }, 'The current username or password is invalid'],
    [
      'a wrong password before empty new values',
      { oldPassword: 'x', newUsername: '' },
      'The current username or password is invalid',
    ],
    ['no new user name', { newUsername: '  ' }, 'The new username and password are empty'],
    ['no new password', { newPassword: '' }, 'The new username and password are empty'],
    ['a field of the wrong type', { newPassword: 7 }, 'request body failed validation'],
    ['a user name of 65 characters', { newUsername: 'x'.repeat(65) }, 'request body failed validation'],
  ])('%s changes nothing', async (_name, more, msg) => {
    const browser = await panel.signedIn();
    const before = await panel.store.reader.selectFrom('admins').selectAll().execute();
    expect((await browser.post(path, change(more))).json).toMatchObject({ success: false, msg });
    expect(await panel.store.reader.selectFrom('admins').selectAll().execute()).toEqual(before);
    expect(await isIn(browser)).toBe(true);
  });

  test('with two-factor sign-in enabled, a code is required, used up, and two-factor stays enabled', async () => {
    const browser = await panel.signedIn();
    Object.assign(panel.settings, { twoFactorEnable: true, twoFactorToken: SECRET });
    expect((await browser.post(path, change())).json?.msg).toBe('invalid two factor code');
    expect((await browser.post(path, change({ twoFactorCode: code() }))).json?.success).toBe(true);
    await browser.fetchCsrf();
    const again = change({ oldUsername: 'captain', oldPassword: 'a new password', twoFactorCode: code() });
    expect((await browser.post(path, again)).json?.msg).toBe('invalid two factor code');
    expect(panel.settings.twoFactorEnable).toBe(true);
  });

  test('an API token may, and gets no session', async () => {
    const headers = { authorization: `Bearer ${await panel.token()}` };
    const response = await send(`${panel.listening.url}${path}`, { method: 'POST', body: change(), headers });
    expect(response.json?.success).toBe(true);
    expect(response.headers['set-cookie']).toBeUndefined();
  });

  test('a stolen session cannot guess the password: the sign-in limits apply', async () => {
    const browser = await panel.signedIn();
    for (let i = 0; i < 5; i++) await browser.post(path, change({ oldPassword: `guess ${i}` }));
    expect((await browser.post(path, change())).json?.msg).toBe('The current username or password is invalid');
    await panel.time.advance(15 * MINUTE_MS);
    expect((await browser.post(path, change())).json?.success).toBe(true);
  });

  test('the limits last as long as announced, whatever happens to the clock', async () => {
    const browser = await panel.signedIn();
    for (let i = 0; i < 5; i++) await browser.post(path, change({ oldPassword: `guess ${i}` }));
    panel.time.jumpClock(60 * MINUTE_MS);
    expect((await browser.post(path, change())).json?.success).toBe(false);
    panel.time.jumpClock(-180 * MINUTE_MS);
    await panel.time.advance(15 * MINUTE_MS);
    expect((await browser.post(path, change())).json?.success).toBe(true);
  });

  test('nor a code beside the right password; a used code counts, refused new values do not', async () => {
    const browser = await panel.signedIn();
    Object.assign(panel.settings, { twoFactorEnable: true, twoFactorToken: SECRET });
    const invalid = 'invalid two factor code';
    const attempt = async (more: Record<string, unknown>) => (await browser.post(path, change(more))).json?.msg;
    await panel.store.write((trx) =>
      trx
        .updateTable('admins')
        .set({ lastTotpStep: Math.floor(panel.time.clock() / 30_000) })
        .execute(),
    );
    for (let i = 0; i < 4; i++) expect(await attempt({ twoFactorCode: '000000' })).toBe(invalid);
    expect(await attempt({ newUsername: '' })).toBe('The new username and password are empty');
    expect(await attempt({ twoFactorCode: code() })).toBe(invalid);
    await panel.time.advance(30_000);
    expect(await attempt({ twoFactorCode: code() })).toBe('The current username or password is invalid');
    await panel.time.advance(15 * MINUTE_MS);
    expect((await browser.post(path, change({ twoFactorCode: code() }))).json?.success).toBe(true);
  });
});

describe('step-up', () => {
  const asSession = async () => {
    const admin = await panel.store.reader.selectFrom('admins').selectAll().executeTakeFirstOrThrow();
    return { kind: 'session', adminId: admin.id };
  };
  const stepUp = (caller: CredentialCaller, proof: StepUpProof) =>
    panel.sessions.verifyStepUp(caller, proof, '127.0.0.1').then(
      () => 'passed',
      (error: Error) => error.message,
    );

  test('a session proves itself with the password', async () => {
    const caller = await asSession();
    expect(await stepUp(caller, {})).toBe('session.stepUpRequired');
    expect(await stepUp(caller, { currentPassword: 'x' })).toBe('session.stepUpFailed');
    expect(await stepUp(caller, { currentPassword: panel.admin.password })).toBe('passed');
  });

  test('or with a code, while two-factor sign-in is enabled; once', async () => {
    const caller = await asSession();
    panel.settings.twoFactorToken = SECRET;
    expect(await stepUp(caller, { twoFactorCode: code() })).toBe('session.stepUpRequired');
    panel.settings.twoFactorEnable = true;
    expect(await stepUp(caller, { twoFactorCode: '000000' })).toBe('session.stepUpFailed');
    expect(await stepUp(caller, { twoFactorCode: code() })).toBe('passed');
    expect(await stepUp(caller, { twoFactorCode: code() })).toBe('session.stepUpFailed');
  });

  test('or with a code, although one was used while the clock was ahead', async () => {
    const caller = await asSession();
    Object.assign(panel.settings, { twoFactorEnable: true, twoFactorToken: SECRET });
    panel.time.jumpClock(24 * 60 * MINUTE_MS);
    expect(await stepUp(caller, { twoFactorCode: code() })).toBe('passed');
    panel.time.jumpClock(-24 * 60 * MINUTE_MS);
    expect(await stepUp(caller, { twoFactorCode: code() })).toBe('passed');
    expect(await stepUp(caller, { twoFactorCode: code() })).toBe('session.stepUpFailed');
  });

  test('callers without a session pass', async () => {
    for (const kind of ['token', 'certificate', 'local']) expect(await stepUp({ kind }, {})).toBe('passed');
  });

  test('guessing is limited', async () => {
    const caller = await asSession();
    for (let i = 0; i < 5; i++) await stepUp(caller, { currentPassword: 'x' });
    expect(await stepUp(caller, { currentPassword: panel.admin.password })).toBe('session.stepUpFailed');
  });
});

describe('the first start', () => {
  test('creates random credentials once', async () => {
    expect(panel.admin.username).toMatch(/^[a-z2-9]{10}$/);
    expect(panel.admin.password).toMatch(/^[A-Za-z2-9]{24}$/);
    expect(await panel.sessions.ensureAdmin()).toBeNull();
    const [admin] = await panel.store.reader.selectFrom('admins').selectAll().execute();
    expect(admin?.passwordHash).not.toContain(panel.admin.password);
  });

  test('its link signs one browser in, with a button and without scripts', async () => {
    const url = `${panel.listening.url}${panel.admin.setupPath}`;
    const page = await send(url);
    expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.text).toContain('<form method="post">');
    expect(page.text).not.toContain('<script');
    expect(page.text).toContain('<style>');
    const persian = await send(url, { headers: { 'accept-language': 'fa-IR,en;q=0.5' } });
    expect(persian.text).toMatch(/<html lang="fa" dir="rtl">.*ورود به پنل/s);
    // Opening the page, as chat programs do with every link, does not use the link up.
    expect((await send(url)).status).toBe(200);
    const entered = await send(url, { method: 'POST', headers: { origin: 'null' } });
    expect(entered).toMatchObject({
      status: 303,
      headers: { location: '/base/panel/first-run', 'cache-control': 'no-store' },
    });
    const cookie = (entered.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
    const inside = await send(`${panel.listening.url}panel/api/setting/sessions`, { headers: { cookie } });
    expect(inside.status).toBe(200);
  });

  test('its credentials are shown only to the browser that used the link, until they are confirmed', async () => {
    const api = `${panel.listening.url}panel/api/setting/firstCredentials`;
    const { username, password } = panel.admin;
    const other = await panel.signedIn();
    expect((await other.get('panel/api/setting/firstCredentials')).json?.obj).toBeNull();
    const entered = await send(`${panel.listening.url}${panel.admin.setupPath}`, { method: 'POST' });
    const cookie = (entered.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
    const shown = async () => (await send(api, { headers: { cookie } })).json?.obj;
    expect(await shown()).toEqual({ username, password });
    const token = (await send(`${panel.listening.url}panel/csrf-token`, { headers: { cookie } })).json?.obj as string;
    const headers = { cookie, 'x-csrf-token': token };
    expect((await send(`${api}/forget`, { method: 'POST', headers })).json?.success).toBe(true);
    expect(await shown()).toBeNull();
  });

  test('a link created later leads to the panel itself and shows no credentials', async () => {
    const later = await send(`${panel.listening.url}${panel.sessions.issueSetupPath()}`, { method: 'POST' });
    expect(later).toMatchObject({ status: 303, headers: { location: '/base/' } });
    const cookie = (later.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
    const api = `${panel.listening.url}panel/api/setting/firstCredentials`;
    expect((await send(api, { headers: { cookie } })).json?.obj).toBeNull();
  });

  test('the link works once, even for two simultaneous requests, and for an hour', async () => {
    const url = `${panel.listening.url}${panel.admin.setupPath}`;
    const both = await Promise.all([1, 2].map(() => send(url, { method: 'POST' })));
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([303, 404]);
    const used = await send(url);
    expect(used.status).toBe(404);
    expect(used.text).toContain('does not work any more');
    const second = `${panel.listening.url}${panel.sessions.issueSetupPath()}`;
    await panel.time.advance(60 * MINUTE_MS);
    expect((await send(second, { method: 'POST' })).status).toBe(404);
    expect((await send(`${panel.listening.url}setup/guess`, { method: 'POST' })).status).toBe(404);
    expect((await send(`${panel.listening.url}setup/${'x'.repeat(5000)}`, { method: 'POST' })).json?.success).toBe(
      false,
    );
  });
});

describe('reset on the command line', () => {
  test('works next to a running panel: a new password, all sessions end, two-factor off on request', async () => {
    await panel.close();
    panel = await openTestPanel({ derive: 'real' });
    const browser = await panel.signedIn();
    await panel.store.write((trx) =>
      trx
        .insertInto('settings')
        .values([
          { key: 'twoFactorEnable', value: 'true' },
          { key: 'twoFactorToken', value: 'x' },
          { key: 'webPort', value: '1' },
        ])
        .execute(),
    );
    const command = createSessionService({
      store: panel.store,
      settings: { current: () => panel.settings, secret: async () => 'x' },
      clock: panel.time.clock,
      monotonic: panel.time.monotonic,
      publish: () => {},
      log: panel.log,
    });
    const first = await command.resetAdmin({ disableTwoFactor: false });
    expect(first.username).toBe(panel.admin.username);
    expect(await isIn(browser)).toBe(false);
    const keys = async () =>
      (await panel.store.reader.selectFrom('settings').select('key').execute()).map(({ key }) => key);
    expect(await keys()).toContain('twoFactorToken');
    const second = await command.resetAdmin({ disableTwoFactor: true });
    expect(await keys()).toEqual(['webPort']);
    expect((await panel.browser().login(first)).json?.success).toBe(false);
    expect((await panel.browser().login(second)).json?.success).toBe(true);
  });

  test('creates an admin when there is none', async () => {
    await panel.store.write((trx) => trx.deleteFrom('admins').execute());
    const headers = { authorization: `Bearer ${await panel.token()}` };
    const without = await send(`${panel.listening.url}panel/api/setting/sessions`, { headers });
    expect(without.json?.msg).toBe('there is no admin account');
    const made = await panel.sessions.resetAdmin({ disableTwoFactor: false });
    expect((await panel.browser().login(made)).json?.success).toBe(true);
  });
});

test('/panel/csrf-token is the token of the session', async () => {
  const browser = await panel.signedIn();
  const response = await browser.get('panel/csrf-token');
  expect(response.json).toEqual({ success: true, msg: '', obj: await browser.fetchCsrf() });
});
