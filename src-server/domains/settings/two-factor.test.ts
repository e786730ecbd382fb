import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { SESSION_ENDED } from '../../live/connection.ts';
import { ADMIN } from '../../testing/credentials.ts';
import { startSettingsPanel, totpCode } from '../../testing/panels/settings-panel.ts';

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEH';
const OTHER = 'KRSXG5CTMVRXEZLUKRSXG5CTMV';
const WRONG = {
  success: false,
  msg: 'invalid two factor code',
  obj: null,
  error: { code: 'settings.twoFactorCode', params: {} },
};

const panel = forEachTest(startSettingsPanel);

const code = (secret: string, stepsAhead = 0) => totpCode(secret, panel.clock() + stepsAhead * 30_000);
const enable = () =>
  panel.post('update', { twoFactorEnable: true, twoFactorToken: SECRET, twoFactorCode: code(SECRET) });
const nextStep = () => panel.advance(30_000);
const current = () => {
  const { twoFactorEnable, twoFactorToken } = panel.settings.current();
  return { twoFactorEnable, twoFactorToken };
};

describe('two-factor sign-in', () => {
  it('is enabled with a code of the new secret, which is stored sealed and ends every session', async () => {
    expect(await enable()).toMatchObject({ success: true });
    expect(current()).toEqual({ twoFactorEnable: true, twoFactorToken: SECRET });
    expect((await panel.rows())['twoFactorToken']).toMatch(/^v1:/);
    expect((await panel.post('all')).obj).toMatchObject({ twoFactorToken: '', hasTwoFactorToken: true });
    expect(await panel.admin()).toMatchObject({ loginEpoch: 1 });
  });

  it('closes the live streams of the sessions that it ends, and a shorter length those of older ones', async () => {
    const old = once(await panel.watch(), 'close');
    panel.jumpClock(61_000);
    await panel.post('update', { sessionMaxAge: 1 });
    expect((await old)[0]).toBe(SESSION_ENDED);
    const open = once(await panel.watch(), 'close');
    await enable();
    expect((await open)[0]).toBe(SESSION_ENDED);
  });

  it('is not enabled without a secret, without a code, with a foreign code or with a bad secret', async () => {
    const on = { twoFactorEnable: true };
    expect((await panel.post('update', on)).msg).toBe(
      'two factor authentication needs a secret; send twoFactorToken with the code it shows',
    );
    expect(await panel.post('update', { ...on, twoFactorToken: SECRET })).toEqual(WRONG);
    expect(await panel.post('update', { ...on, twoFactorToken: SECRET, twoFactorCode: code(OTHER) })).toEqual(WRONG);
    expect((await panel.post('update', { ...on, twoFactorToken: 'not base 32!', twoFactorCode: '1' })).msg).toBe(
      'the two factor secret is not valid base32 of at least 16 characters',
    );
    expect(await panel.rows()).toEqual({});
    expect(await panel.admin()).toMatchObject({ loginEpoch: 0 });
  });

  it('does not keep a secret while disabled', async () => {
    expect((await panel.post('update', { twoFactorToken: SECRET, pageSize: 30 })).success).toBe(true);
    expect(await panel.rows()).toEqual({ pageSize: '30' });
  });

  it('survives an ordinary save of the redacted object, without a code', async () => {
    await enable();
    const response = await panel.post('update', { ...((await panel.post('all')).obj as object), pageSize: 40 });
    expect(response.success).toBe(true);
    expect(current()).toEqual({ twoFactorEnable: true, twoFactorToken: SECRET });
    expect(await panel.admin()).toMatchObject({ loginEpoch: 1 });
  });

  it('is disabled only with a valid code, once', async () => {
    await enable();
    await nextStep();
    expect(await panel.post('update', { twoFactorEnable: false })).toEqual(WRONG);
    expect(await panel.post('update', { twoFactorEnable: false, twoFactorCode: '000000' })).toEqual(WRONG);
    expect(current().twoFactorEnable).toBe(true);
    expect((await panel.post('update', { twoFactorEnable: false, twoFactorCode: ` ${code(SECRET)} ` })).success).toBe(
      true,
    );
    expect(current()).toEqual({ twoFactorEnable: false, twoFactorToken: '' });
    expect((await panel.rows())['twoFactorToken']).toBe('');
    expect(await panel.admin()).toMatchObject({ loginEpoch: 2 });
  });

  it('refuses a code that was already used', async () => {
    await enable();
    await nextStep();
    const step = Math.floor(panel.clock() / 30_000);
    await panel.store.write(async (trx) => {
      await trx.updateTable('admins').set({ lastTotpStep: step }).execute();
    });
    expect(await panel.post('update', { twoFactorEnable: false, twoFactorCode: code(SECRET) })).toEqual(WRONG);
    expect(current().twoFactorEnable).toBe(true);
    expect((await panel.post('update', { twoFactorEnable: false, twoFactorCode: code(SECRET, 1) })).success).toBe(true);
  });

  it('is bound to another authenticator only with a code of the current one', async () => {
    await enable();
    await nextStep();
    const rebind = { twoFactorToken: OTHER };
    expect(await panel.post('update', rebind)).toEqual(WRONG);
    expect(await panel.post('update', { ...rebind, twoFactorCode: code(OTHER) })).toEqual(WRONG);
    const present = { ...rebind, twoFactorCode: code(SECRET) };
    expect(await panel.post('update', { ...present, newTwoFactorCode: code(SECRET) })).toEqual(WRONG);
    expect(current().twoFactorToken).toBe(SECRET);
    expect((await panel.post('update', { ...present, newTwoFactorCode: code(OTHER) })).success).toBe(true);
    expect(current()).toEqual({ twoFactorEnable: true, twoFactorToken: OTHER });
  });

  it('accepts codes from the enrolling one onwards, and none before', async () => {
    await enable();
    const step = Math.floor(panel.clock() / 30_000);
    expect(await panel.admin()).toMatchObject({ lastTotpStep: step - 1 });
  });

  it('never stores proofs, and uses up no code for a refused save', async () => {
    await enable();
    await nextStep();
    const before = await panel.admin();
    const response = await panel.post('update', {
      twoFactorEnable: false,
      twoFactorCode: code(SECRET),
      webListen: 'nowhere',
    });
    expect(response.msg).toBe('web listen is not valid ip: nowhere');
    expect(await panel.admin()).toEqual(before);
    expect(Object.keys(await panel.rows()).sort()).toEqual(['twoFactorEnable', 'twoFactorToken']);
  });

  describe('guessing', () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const HERE = from('203.0.113.1');
    const off = (twoFactorCode: string, headers = HERE) =>
      panel.post('update', { twoFactorEnable: false, twoFactorCode }, headers);

    it.each([
      ['disable', { twoFactorEnable: false }],
      ['replace the secret', { twoFactorToken: OTHER }],
    ])('is limited per address, whatever the save is: %s', async (_name, change) => {
      await enable();
      await nextStep();
      const save = (twoFactorCode: string, headers = HERE) =>
        panel.post('update', { ...change, twoFactorCode, newTwoFactorCode: code(OTHER) }, headers);
      for (let i = 0; i < 5; i++) expect(await save('000000')).toEqual(WRONG);
      expect(await save(code(SECRET))).toEqual(WRONG);
      expect(current()).toEqual({ twoFactorEnable: true, twoFactorToken: SECRET });
      expect((await save(code(SECRET), from('203.0.113.2'))).success).toBe(true);
    });

    it('starts anew only after a code that was accepted', async () => {
      await enable();
      await nextStep();
      const used = code(SECRET, -1);
      for (let i = 0; i < 3; i++) await off('000000');
      const refused = { twoFactorEnable: false, twoFactorCode: code(SECRET), webListen: 'nowhere' };
      expect((await panel.post('update', refused, HERE)).msg).toBe('web listen is not valid ip: nowhere');
      expect((await panel.post('update', { pageSize: 30, twoFactorCode: code(SECRET) }, HERE)).success).toBe(true);
      await panel.store.write(async (trx) => {
        await trx
          .updateTable('admins')
          .set({ lastTotpStep: Math.floor(panel.clock() / 30_000) - 1 })
          .execute();
      });
      expect(await off(used)).toEqual(WRONG);
      await off('000000');
      expect(await off(code(SECRET))).toEqual(WRONG);
    });

    it('counts no save without a code, and none that enables', async () => {
      for (let i = 0; i < 6; i++)
        await panel.post('update', { twoFactorEnable: true, twoFactorToken: SECRET, twoFactorCode: '1' }, HERE);
      await enable();
      await nextStep();
      for (let i = 0; i < 6; i++) expect(await off('')).toEqual(WRONG);
      expect((await off(code(SECRET))).success).toBe(true);
    });

    it('of the password from one address leaves other addresses alone', async () => {
      const browser = await panel.signedIn();
      const save = (currentPassword: string, headers: Record<string, string>) => {
        const body = { twoFactorEnable: true, twoFactorToken: SECRET, twoFactorCode: code(SECRET), currentPassword };
        return browser.post('panel/api/setting/update', body, headers);
      };
      for (let i = 0; i < 5; i++) await save('guess', HERE);
      expect((await save(ADMIN.password, HERE)).json).toMatchObject({ success: false });
      expect((await save(ADMIN.password, from('203.0.113.2'))).json).toMatchObject({ success: true });
    });
  });

  it('asks a signed-in admin for the password before it is enabled, and only then', async () => {
    const browser = await panel.signedIn();
    const save = async (body: object) => (await browser.post('panel/api/setting/update', body)).json;
    const body = { twoFactorEnable: true, twoFactorToken: SECRET, twoFactorCode: code(SECRET) };
    for (const proof of [{}, { currentPassword: 'guess' }])
      expect(await save({ ...body, ...proof })).toMatchObject({ success: false });
    expect(current().twoFactorEnable).toBe(false);
    expect(await save({ pageSize: 50 })).toMatchObject({ success: true });
    expect(await save({ ...body, currentPassword: ADMIN.password })).toMatchObject({ success: true });
    expect(current().twoFactorEnable).toBe(true);
  });
});
