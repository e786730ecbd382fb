import { expect, test } from 'vitest';
import { hostAndPort } from './host-and-port.ts';

test.each([
  ['a.example', 443, 'a.example:443'],
  ['2001:db8::1', 443, '[2001:db8::1]:443'],
  ['[2001:db8::1]', 443, '[2001:db8::1]:443'],
  ['2001:db8::1', 0, '2001:db8::1'],
  ['', 443, '443'],
  ['', 0, ''],
])('%j and %j read as %j', (host, port, text) => expect(hostAndPort(host, port)).toBe(text));
