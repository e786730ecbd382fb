import { beforeEach, expect, test } from 'vitest';
import { createGroup } from '#contract/groups';
import { laterTextsLoaded, startTexts } from '../i18n/i18n.ts';
import { jobFailureWords, leftOutWords, reasonWords } from '../i18n/refusal-words.ts';
import { call, CallError, type Transport } from './transport.ts';

/** What a page is told of this answer. */
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

test('a refusal is told in the language on show, with its names kept in their own direction', async () => {
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

test('what a newer panel says is shown in its own words, and so is what lacks a parameter', async () => {
  expect((await refusal(refused('client.tooShiny', {}, 'too shiny'))).message).toBe('too shiny');
  expect((await refusal(refused('client.emailTaken', {}, 'email already in use'))).message).toBe(
    'email already in use',
  );
  expect((await refusal({ success: false, msg: 'an older panel', obj: null })).message).toBe('an older panel');
  expect((await refusal(refused('panelUpdate.unknown', {}, ''))).message).toBe('');
});

test('fields are told at their place in words, with what the server knows better behind them', async () => {
  const issues = [
    { field: 'name', rule: 'min', param: '1', message: 'name: needs at least 1 characters or entries' },
    { field: 'settings.port', rule: 'conflict', message: 'settings.port cannot be combined with x.' },
    { field: 'listen', rule: 'format', message: 'listen must be an IP address.' },
    { field: 'list', rule: 'unheard', message: 'list: must shine' },
    { field: 'certificates', rule: 'required', message: 'certificates needs one, or every client is refused.' },
    { field: 'key', rule: 'required', message: 'key: is required' },
  ];
  const body = {
    success: false,
    msg: 'invalid',
    obj: { message: '', issues },
    error: { code: 'request.invalid', params: {} },
  };
  const error = await refusal(body);
  expect(error.issues.map(({ message }) => message)).toEqual([
    'دست‌کم \u20681\u2069 نویسه یا مورد لازم است',
    '\u2068با بقیه سازگار نیست\u2069: \u2068cannot be combined with x.\u2069',
    'باید نشانی IP باشد.',
    'must shine',
    // What the rule alone does not say is not lost.
    expect.stringContaining('needs one, or every client is refused.'),
    'لازم است',
  ]);
  expect(error.message).toMatch(/name.*نویسه.*settings\.port.*list/);
});

test('a failure that has a place is told there in the same words', async () => {
  const params = { kind: 'outbound', tag: 'exit', text: 'no' };
  const code = 'coreSettings.handlerRejected';
  const place = { field: 'outbounds[0]', rule: code, message: 'core rejects' };
  const error = await refusal({
    success: false,
    msg: 'core rejects',
    obj: { issues: [place] },
    error: { code, params },
  });
  expect(error.issues[0]?.message).toBe(error.message);
  expect(error.message).toContain('هسته خروجی');
});

test('what a bulk call, a job and an import leave undone is told in the same words', () => {
  expect(reasonWords({ reason: 'client not found', code: 'client.notFound' })).toBe('کاربر پیدا نشد');
  const issues = [{ field: 'totalGB', rule: 'gte', param: '0', message: 'totalGB: must be at least 0' }];
  expect(reasonWords({ reason: 'totalGB: must be at least 0', issues })).toContain('باید دست‌کم');
  expect(reasonWords({ reason: 'of a newer panel' })).toBe('of a newer panel');
  const job = { error: 'unexpected error (reference 5)', errorCode: '', errorParams: { reference: '5' } };
  expect(jobFailureWords(job)).toBe('خطای پیش‌بینی‌نشده (شناسه \u20685\u2069)');
  expect(leftOutWords('this panel has no protocol "mtproto"')).toBe('این پنل پروتکل «\u2068mtproto\u2069» را ندارد');
  expect(leftOutWords('the moon is full')).toBe('the moon is full');
});

test('an answer without a reason is told in words too', async () => {
  const error = await refusal('gateway' as unknown as object, 502);
  expect(error).toMatchObject({ kind: 'unexpected', message: 'پنل بدون دلیل HTTP 502 پاسخ داد.' });
});
