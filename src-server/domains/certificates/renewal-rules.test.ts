import { expect, test } from 'vitest';
import { backOffMs, isFor, renewsAtMs, type Renewable } from './renewal-rules.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const facts = (pin: string, names = ['a.example.com']) => ({
  names,
  issuer: 'R1',
  validFrom: 1_000 * DAY,
  validTo: 1_090 * DAY,
  pin: pin.repeat(64),
});
const renewable = (more: Partial<Renewable> = {}): Renewable => ({
  nowMs: 1_066 * DAY,
  spec: { source: 'acme', names: ['a.example.com'] },
  facts: facts('0'),
  isObtained: true,
  isRevoked: false,
  nextTryAtMs: 0,
  ...more,
});

test('a certificate is renewed after two thirds of its life, or up to a twentieth earlier', () => {
  expect(renewsAtMs(renewable())).toBe(1_060 * DAY);
  expect(renewsAtMs(renewable({ facts: facts('f') }))).toBe(1_055.5 * DAY);
  const between = renewsAtMs(renewable({ facts: facts('8') })) / DAY;
  expect(between).toBeGreaterThan(1_057);
  expect(between).toBeLessThan(1_058);
});

test.each([
  ['its file is gone', { facts: null }, 1],
  ['its names are others', { facts: facts('0', ['b.example.com']) }, 1],
  ['the last try was not long ago', { nextTryAtMs: 1_070 * DAY }, 1_070 * DAY],
  ['the clock was ahead at the last try', { nextTryAtMs: 1_099 * DAY }, 1_060 * DAY],
  ['it was never obtained', { facts: null, isObtained: false }, 0],
  ['it is revoked', { isRevoked: true }, 0],
  ['it is self-signed', { spec: { source: 'selfSigned' as const, names: [] } }, 0],
])('%s', (_name, more, at) => expect(renewsAtMs(renewable(more))).toBe(at));

test('names are compared as a set, ignoring case', () => {
  expect(isFor(facts('0', ['B.example', 'a.example']), ['a.example', 'b.example'])).toBe(true);
  expect(isFor(facts('0', ['a.example', 'b.example']), ['a.example'])).toBe(false);
});

test('failures are followed by growing pauses, never shorter than the authority asks for', () => {
  expect([1, 2, 3, 5, 6, 40].map((failures) => backOffMs(failures, 0) / HOUR)).toEqual([1, 2, 4, 16, 24, 24]);
  expect(backOffMs(1, 7 * DAY)).toBe(7 * DAY);
});
