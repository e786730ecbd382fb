import { expect, test } from 'vitest';
import { createFormat } from '../commands/format.ts';
import { createLabel, createRefusal, createSay } from './words.ts';

test('in Persian a name and an amount keep their own direction; what is copied or opened stays bare', () => {
  const say = createSay('fa');
  expect(say('off.ask', { email: '98-<a>' })).toContain('<b>\u206898-&lt;a&gt;\u2069</b>');
  expect(say('yourId', { id: 7 })).toContain('<code>7</code>');
  expect(say('tie.link', { days: 3, email: 'a', link: 'https://t.me/x?start=1' })).toMatch(
    /\nhttps:\/\/t\.me\/x\?start=1$/,
  );
  expect(createLabel('fa')('button.goOn', { count: 2 })).toContain('\u20682\u2069');
  const refusal = createRefusal('fa', () => '');
  expect(refusal({ code: 'client.emailTaken', params: { email: 'a@b.c' } })).toContain('\u2068a@b.c\u2069');
  expect(createSay('ru')('off.ask', { email: 'a' })).toContain('<b>a</b>');
});

test('dates are Jalali in Persian, and in other languages where the setting says so', () => {
  const atMs = Date.UTC(2026, 2, 21, 12);
  const dateIn = (tgLang: string, datepicker: 'gregorian' | 'jalalian'): string =>
    createFormat({ tgLang, datepicker, timeLocation: 'UTC' }, createSay('en'), () => atMs).date(atMs);
  expect(dateIn('fa-IR', 'gregorian')).toContain('۱۴۰۵');
  expect(dateIn('en-US', 'gregorian')).toContain('2026');
  expect(dateIn('en-US', 'jalalian')).toContain('1405');
});
