import { expect, test } from 'vitest';
import { interfaceRefusals } from '../../../testing/interface-refusals.ts';
import { REFUSALS } from './refusals.ts';
import { createRefusal } from './words.ts';

test('refusals read the same in chats as in the interface, with the same set in each language', () => {
  const codes = Object.keys(REFUSALS['fa']!);
  for (const [language, words] of Object.entries(REFUSALS)) {
    expect(Object.keys(words), language).toEqual(codes);
    const all = interfaceRefusals(language);
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
  expect(refusal({ code: 'client.emailTaken', params: { email: '<b>' } })).toBe('Этот e-mail уже занят: <b>');
  expect(refusal({ code: 'store.newerVersion', params: {} })).toBe('English of store.newerVersion');
  expect(createRefusal('en', english)({ code: 'client.emailTaken', params: {} })).toBe('English of client.emailTaken');
});
