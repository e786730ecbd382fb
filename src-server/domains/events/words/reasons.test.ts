import { expect, test } from 'vitest';
import { interfaceRefusals } from '../../../testing/interface-refusals.ts';
import { eventText } from '../event-text.ts';
import { REASONS } from './reasons.ts';

test('refusals read the same in events as in the interface, with the same set in each language', () => {
  const codes = Object.keys(REASONS['fa']!);
  for (const [language, reasons] of Object.entries(REASONS)) {
    expect(Object.keys(reasons), language).toEqual(codes);
    const all = interfaceRefusals(language);
    for (const [code, text] of Object.entries(reasons)) {
      const [domain = '', name = ''] = code.split('.');
      if (name !== '') expect(text, `${language} ${code}`).toBe(all[domain]?.[name]);
    }
  }
});

test('why a sign-in was refused is told in the language of the text', () => {
  const facts = { ok: false, username: 'root', address: '192.0.2.1' };
  const bodyOf = (reason: string, language: string): string =>
    eventText({ kind: 'login.attempt', facts: { ...facts, reason } }, language, 'UTC').body;
  expect(bodyOf('invalid 2FA code', 'ru')).toContain('Причина: неверный код двухфакторного входа');
  expect(bodyOf('invalid 2FA code', 'en')).toContain('Reason: invalid 2FA code');
  expect(bodyOf('another reason', 'ru')).toContain('Причина: another reason');
});

test('why a certificate was not renewed is told with the names of that reason, not of the certificate', () => {
  const facts = {
    name: 'Web',
    error: 'the authority does not get through to …',
    errorCode: 'certificate.notReached',
    errorParams: '{"name":"panel.example","port":"8080","text":"timeout"}',
  };
  const { title, body } = eventText({ kind: 'certificate.failed', facts }, 'ru', 'UTC');
  expect(title).toContain('Web');
  expect(body).toMatch(/^Ошибка: .*panel\.example.*8080.*timeout$/);
  expect(body).not.toContain('Web');
});

test('in Persian a name and an address keep their own direction, also inside a reason', () => {
  const facts = {
    name: '2001:db8::7',
    errorCode: 'directory.private',
    errorParams: '{"host":"\u2067ldap.example","address":"fd00::1"}',
  };
  const { title, body } = eventText({ kind: 'certificate.failed', facts }, 'fa', 'UTC');
  expect(title).toContain(' \u20682001:db8::7\u2069 ');
  expect(body).toMatch(/^خطا: \u2068\u2068ldap\.example\u2069 به \u2068fd00::1\u2069 .*\u2069$/);
  expect(eventText({ kind: 'client.depleted', facts: { email: '98-a', quotaBytes: 1024 } }, 'fa', 'UTC')).toEqual({
    title: 'حجم کاربر \u206898-a\u2069 تمام شد',
    body: 'حجم: \u2068۱ KiB\u2069',
  });
});

test('a failure that was stored without its code, or with one that has no translation, is told as stored', () => {
  const bodyOf = (facts: Record<string, string>): string =>
    eventText({ kind: 'directory.failed', facts: { error: 'the directory is not reached: x', ...facts } }, 'ru', 'UTC')
      .body;
  expect(bodyOf({})).toBe('Ошибка: the directory is not reached: x');
  expect(bodyOf({ errorCode: 'client.other', text: 'x' })).toBe('Ошибка: the directory is not reached: x');
  expect(bodyOf({ errorCode: 'directory.unreachable', text: 'x' })).toBe('Ошибка: каталог недоступен: x');
});
