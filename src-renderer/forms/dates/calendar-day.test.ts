import { expect, it } from 'vitest';
import { persianDay, persianText } from './calendar-day.ts';

it('reads and writes days of the Persian calendar, leap years and all', () => {
  expect(persianText('2026-03-21')).toBe('1405/01/01');
  expect(persianText('2025-03-20')).toBe('1403/12/30');
  expect(persianText('no day')).toBe('');
  expect(persianDay('۱۴۰۵/۱/۱')).toBe('2026-03-21');
  expect(persianDay('1403-12-30')).toBe('2025-03-20');
  for (const text of ['1404/12/30', '1404/13/01', '1404/07/31', '2026/01/01', '1404/1', ''])
    expect([text, persianDay(text)]).toEqual([text, null]);
  for (let ms = Date.UTC(2020, 0, 1); ms < Date.UTC(2032, 0, 1); ms += 86_400_000) {
    const day = new Date(ms).toISOString().slice(0, 10);
    expect(persianDay(persianText(day))).toBe(day);
  }
});
