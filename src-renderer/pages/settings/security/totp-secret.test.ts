import { URI } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { base32, newTotpSecret, totpAddress } from './totp-secret.ts';

describe('base32', () => {
  // RFC 4648, section 10.
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('%j is %j', (text, expected) => expect(base32(new TextEncoder().encode(text))).toBe(expected));
});

it('an authenticator app reads the address back', () => {
  const secret = newTotpSecret((bytes) => bytes.fill(0xa5));
  expect(secret).toHaveLength(32);
  const read = URI.parse(totpAddress(secret, '[::1]:2053'));
  expect([read.issuer, read.label, read.secret.base32]).toEqual(['Switchyard', '[::1]:2053', secret]);
});
