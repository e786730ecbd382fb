import { getI18n } from 'react-i18next';
import { beforeEach, expect, test } from 'vitest';
import { laterTextsLoaded, startTexts } from './i18n.ts';

const say = (key: string, values: object): string =>
  (getI18n().t as unknown as (key: string, values: object) => string)(key, values);

beforeEach(async () => {
  await startTexts('fa', false);
  await laterTextsLoaded();
});

test('a value in a text that runs right to left keeps its own direction', () => {
  expect(say('groups:saved', { name: '2001:db8::1' })).toContain(' \u20682001:db8::1\u2069 ');
  // Inside a choice, and beside it.
  expect(say('hosts:remove.title', { count: 1, name: '[::1]:443' })).toContain(' \u2068[::1]:443\u2069 ');
  expect(say('hosts:remove.title', { count: 3, name: '' })).toContain('۳');
});

test('a Latin word stays in front of its value, and a quoted brace is no placeholder', () => {
  expect(say('apiReference:try.answer', { status: '204' })).toContain('\u2066HTTP \u2068204\u2069\u2069');
  expect(say('hosts:hint.remark', {})).toContain('{{HOST}}');
});
