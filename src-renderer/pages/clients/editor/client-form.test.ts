import { describe, expect, it } from 'vitest';
import type { ClientRecord } from '#contract/clients';
import { ClientForm, firstFlow, formPlace, NEW_CLIENT, toForm, toWire } from './client-form.ts';

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;
const STORED: ClientRecord = {
  recordId: 7,
  email: 'a@b',
  subId: 'sub',
  id: 'u',
  uuid: 'u',
  password: 'p',
  auth: 'x',
  flow: 'xtls-rprx-vision',
  security: 'auto',
  reverse: { tag: 'r' },
  totalGB: 3 * 1024 ** 3 + 1,
  expiryTime: NOW + 2.5 * DAY,
  limitIp: 2,
  tgId: 5,
  comment: 'c',
  enable: true,
  group: 'g',
  planId: 4,
  reset: 30,
  resetDay: 0,
  createdAt: 1,
  updatedAt: 2,
};

describe('client form', () => {
  it.each([
    ['client.totalGB', 'quotaBytes'],
    ['expiryTime', 'term'],
    ['client.reverse.tag', 'reverseTag'],
    ['client.email', 'email'],
    ['inboundIds', 'inboundIds'],
  ])('shows a refusal of %s at %s', (field, place) => {
    expect(formPlace(field)).toBe(place);
    expect(NEW_CLIENT).toHaveProperty(place);
  });

  it('sends an untouched client exactly as it was stored', () => {
    const sent = toWire(toForm(STORED, [1], NOW), STORED, NOW, NOW);
    expect(STORED).toMatchObject(sent);
    const own = ['recordId', 'uuid', 'createdAt', 'updatedAt'];
    expect(Object.keys(sent).sort()).toEqual(
      Object.keys(STORED)
        .filter((key) => !own.includes(key))
        .sort(),
    );
  });

  it('keeps an untouched expiry however long the form was open', () => {
    const later = NOW + 0.6 * DAY;
    expect(toWire(toForm(STORED, [1], NOW), STORED, NOW, later).expiryTime).toBe(STORED.expiryTime);
    expect(toWire({ ...toForm(STORED, [1], NOW), term: 10 }, STORED, NOW, later).expiryTime).toBe(later + 10 * DAY);
  });

  it.each([
    ['a moment', STORED.expiryTime, 10, NOW + 10 * DAY],
    ['a duration from first use', -5 * DAY, 10, -10 * DAY],
    ['never', 0, 3, NOW + 3 * DAY],
  ])('moves an expiry that was %s', (_, expiryTime, days, expected) => {
    const stored = { ...STORED, expiryTime };
    expect(toWire({ ...toForm(stored, [], NOW), term: days }, stored, NOW, NOW).expiryTime).toBe(expected);
    expect(toWire({ ...toForm(stored, [], NOW), term: null }, stored, NOW, NOW).expiryTime).toBe(0);
    expect(
      toWire({ ...toForm(stored, [], NOW), term: '2030-01-02', startsAtFirstUse: false }, stored, NOW, NOW).expiryTime,
    ).toBe(new Date(2030, 0, 2, 23, 59, 59).getTime());
  });

  it.each([
    [{ reset: 30, resetDay: 0 }, 'period', 30],
    [{ reset: 0, resetDay: 31 }, 'monthDay', 31],
    [{ reset: 0, resetDay: 0 }, 'none', 1],
  ] as const)('shows and keeps the renewal %o', (renews, renewal, renewalDays) => {
    const stored = { ...STORED, ...renews };
    const shown = toForm(stored, [], NOW);
    expect(shown).toMatchObject({ renewal, renewalDays });
    expect(toWire(shown, stored, NOW, NOW)).toMatchObject(renews);
    expect(toWire({ ...shown, renewal: 'none' }, stored, NOW, NOW)).toMatchObject({ reset: 0, resetDay: 0 });
  });

  it('knows no day of a month above 31, but longer periods', () => {
    const form = { ...NEW_CLIENT, email: 'n', renewalDays: 32 };
    expect(ClientForm.safeParse({ ...form, renewal: 'period' }).success).toBe(true);
    expect(ClientForm.safeParse({ ...form, renewal: 'monthDay' }).error?.issues).toMatchObject([
      { path: ['renewalDays'] },
    ]);
  });

  it('takes over what was typed of credentials and protocol, and leaves emptied ones to the server', () => {
    const typed = { subId: '', id: '', password: 'new', flow: '', security: 'zero', reverseTag: '', tgId: 9 };
    const sent = toWire({ ...toForm(STORED, [1], NOW), ...typed }, STORED, NOW, NOW);
    expect(sent).toMatchObject({ password: 'new', auth: 'x', flow: '', security: 'zero', reverse: null, tgId: 9 });
    expect(sent).not.toHaveProperty('subId');
    expect(sent).not.toHaveProperty('id');
  });

  it('leaves credentials of a new client to the server', () => {
    expect(toWire({ ...NEW_CLIENT, email: 'n' }, null, NOW, NOW)).not.toHaveProperty('id');
  });
});

it('a new client has Vision where one of its inbounds can use it', () => {
  expect(firstFlow([{ tlsFlowCapable: false }, { tlsFlowCapable: true }])).toBe('xtls-rprx-vision');
  expect(firstFlow([{ tlsFlowCapable: false }])).toBe('');
});
