import { expect, it } from 'vitest';
import { readSeenAddress } from './seen-address.ts';

it('keeps the wall clock of the panel', () => {
  const { ip, seenAtMs } = readSeenAddress('2001:db8::1 (2026-01-02 03:04:05)');
  expect(ip).toBe('2001:db8::1');
  expect(seenAtMs).toBe(new Date(2026, 0, 2, 3, 4, 5).getTime());
});

it.each(['192.0.2.1', 'words (without a time)', '192.0.2.1 (2026-13-02 03:04:05)'])('makes no time up: %s', (line) => {
  expect(readSeenAddress(line).seenAtMs).toBeNull();
});
