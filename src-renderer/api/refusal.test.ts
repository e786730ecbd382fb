import { beforeEach, expect, test } from 'vitest';
import { createGroup } from '#contract/groups';
import { laterTextsLoaded, showLanguage, startTexts } from '../i18n/i18n.ts';
import { issueWords, jobFailureWords, leftOutKind, reasonWords } from '../i18n/refusal-words.ts';
import { call, CallError, type Transport } from './transport.ts';

/** The error a page gets for this response. */
async function refusal(body: object, status = 200): Promise<CallError> {
  const transport: Transport = {
    send: () => Promise.resolve({ status, errorCode: '', body }),
    listen: () => () => undefined,
    isOwnRequest: () => false,
    fileUrl: (path) => path,
  };
  const error: unknown = await call(transport, createGroup, { body: { name: 'a' } }).catch((thrown: unknown) => thrown);
  if (!(error instanceof CallError)) throw new Error('it was not refused');
  return error;
}

const refused = (code: string, params: object, msg: string) => ({
  success: false,
  msg,
  obj: null,
  error: { code, params },
});

beforeEach(async () => {
  await startTexts('fa', false);
  await laterTextsLoaded();
});

test('a refusal is shown in the chosen language, and names in it keep their own direction', async () => {
  const error = await refusal(refused('client.emailTaken', { email: 'a@b.example' }, 'email already in use'));
  expect(error).toMatchObject({ kind: 'refused', code: 'client.emailTaken', params: { email: 'a@b.example' } });
  expect(error.message).toBe('این ایمیل گرفته شده است: \u2068a@b.example\u2069');
});

test('a setting is called what the page calls it', async () => {
  const error = await refusal(refused('settings.chatId', { value: 'x' }, 'messaging chat id is not a whole number: x'));
  expect(error.message).toBe('شناسهٔ گفت‌وگو عدد صحیح نیست: \u2068x\u2069');
  const schedule = await refusal(
    refused('settings.jsonText', { field: 'subJsonMux', kind: 'object' }, 'subJsonMux must'),
  );
  expect(schedule.message).toContain('شیء JSON');
  expect(schedule.message).not.toContain('subJsonMux');
});

test('a code of a newer panel, or one without its parameters, is shown in the server’s English', async () => {
  expect((await refusal(refused('client.tooShiny', {}, 'too shiny'))).message).toBe('too shiny');
  expect((await refusal(refused('client.emailTaken', {}, 'email already in use'))).message).toBe(
    'email already in use',
  );
  expect((await refusal({ success: false, msg: 'an older panel', obj: null })).message).toBe('an older panel');
  expect((await refusal(refused('panelUpdate.unknown', {}, ''))).message).toBe('');
});

test('field errors name their field; without a known code they use the server’s words', async () => {
  const issues = [
    { field: 'name', rule: 'min', param: '1', code: 'field.min', params: { param: '1' }, message: 'name: needs 1' },
    { field: 'listen', rule: 'format', code: 'config.ipAddress', params: {}, message: 'listen must be an IP address.' },
    { field: 'list', rule: 'unheard', code: 'list.unheard', params: {}, message: 'list: must shine' },
    { field: 'settings.port', rule: 'conflict', message: 'settings.port cannot be combined with x.' },
  ];
  const body = {
    success: false,
    msg: 'invalid',
    obj: { message: '', issues },
    error: { code: 'request.invalid', params: {} },
  };
  const error = await refusal(body);
  expect(error.issues.map(({ message }) => message)).toEqual([
    'دست‌کم \u20681\u2069 نویسه لازم است',
    'باید نشانی IP باشد.',
    'must shine',
    'cannot be combined with x.',
  ]);
  expect(error.message).toMatch(/name.*نویسه.*list.*settings\.port/);
});

test('in English the server’s own words are shown, and a setting is called what the page calls it', async () => {
  await showLanguage('en');
  const chatId = refused('settings.chatId', { value: 'x' }, 'messaging chat id is not a whole number: x');
  expect((await refusal(chatId)).message).toBe('messaging chat id is not a whole number: x');
  const said = 'subJsonMux must be a JSON object, or empty';
  const { message } = await refusal(refused('settings.jsonText', { field: 'subJsonMux', kind: 'object' }, said));
  expect(message).toMatch(/ must be a JSON object, or empty$/);
  expect(message).not.toContain('subJsonMux');
});

test('a length is told in what the field holds, in the number that it is', async () => {
  await showLanguage('en');
  const words = (rule: 'min' | 'max', unit: string, param: string): string => {
    const code = `field.${rule}${unit}`;
    return issueWords({ field: 'name', rule, param, code, params: { param }, message: '' });
  };
  expect(words('max', '', '64')).toBe('Takes at most 64 characters');
  expect(words('max', 'Entries', '1')).toBe('Takes at most 1 entry');
  expect(words('min', '', '1')).toBe('Must not be empty');
  expect(words('min', 'Entries', '2')).toBe('Needs at least 2 entries');
});

test('a failure at a field gets the same words there', async () => {
  const params = { kind: 'outbound', tag: 'exit', text: 'no' };
  const code = 'coreSettings.handlerRejected';
  const place = { field: 'outbounds[0]', rule: code, code, params, message: 'core rejects' };
  const error = await refusal({
    success: false,
    msg: 'core rejects',
    obj: { issues: [place] },
    error: { code, params },
  });
  expect(error.issues[0]?.message).toBe(error.message);
  expect(error.message).toContain('هسته خروجی');
});

test('refusals in a bulk call, a job and an import use the same words', () => {
  expect(reasonWords({ reason: 'client not found', code: 'client.notFound' })).toBe('کاربر پیدا نشد');
  const gte = { field: 'totalGB', rule: 'gte', param: '0', code: 'field.gte', params: { param: '0' } };
  const issues = [{ ...gte, message: 'totalGB: must be at least 0' }];
  expect(reasonWords({ reason: 'totalGB: must be at least 0', issues })).toContain('باید دست‌کم');
  expect(reasonWords({ reason: 'of a newer panel' })).toBe('of a newer panel');
  const job = { error: 'unexpected error (reference 5)', errorCode: '', errorParams: { reference: '5' } };
  expect(jobFailureWords(job)).toBe('خطای پیش‌بینی‌نشده (شناسه \u20685\u2069)');
  const leftOut = { reason: 'no "mtproto"', code: 'leftOut.protocolUnknown', params: { protocol: 'mtproto' } };
  expect(reasonWords(leftOut)).toBe('این پنل پروتکل «\u2068mtproto\u2069» را ندارد');
  expect(leftOutKind({ kind: 'inbound', what: 'inbound' })).toBe('ورودی');
  expect(leftOutKind({ kind: 'moon', what: 'the moon' })).toBe('the moon');
});

test('an answer without a reason gets words too', async () => {
  const error = await refusal('gateway' as unknown as object, 502);
  expect(error).toMatchObject({
    kind: 'unexpected',
    message: 'پنل بدون دلیل \u2066HTTP \u2068502\u2069\u2069 پاسخ داد.',
  });
});
