import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REFUSALS } from './refusals.ts';
import { createRefusal } from './words.ts';

const ofInterface = (language: string): Record<string, Record<string, string>> => {
  const file = new URL(`../../../../src-renderer/i18n/${language}/later/shared/refusals.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { code: Record<string, Record<string, string>> }).code;
};

test('refusals read the same in chats as in the interface, with the same set in each language', () => {
  const codes = Object.keys(REFUSALS['fa']!);
  for (const [language, words] of Object.entries(REFUSALS)) {
    expect(Object.keys(words), language).toEqual(codes);
    const all = ofInterface(language);
    for (const [code, text] of Object.entries(words)) {
      const [domain = '', name = ''] = code.split('.');
      expect(text, `${language} ${code}`).toBe(all[domain]?.[name]);
      // Texts that the interface fills in by other rules would not work in a chat.
      expect(text, `${language} ${code}`).not.toMatch(/\{\w+,|'\{/);
    }
  }
});

test('a refusal without a translation is sent in English', () => {
  const english = ({ code }: { code: string }): string => `English of ${code}`;
  const refusal = createRefusal('ru', english);
  expect(refusal({ code: 'client.emailTaken', params: { email: '<b>' } })).toBe('Эта почта уже занята: <b>');
  expect(refusal({ code: 'store.newerVersion', params: {} })).toBe('English of store.newerVersion');
  expect(createRefusal('en', english)({ code: 'client.emailTaken', params: {} })).toBe('English of client.emailTaken');
});
