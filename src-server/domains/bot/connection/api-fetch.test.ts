import { expect, test } from 'vitest';
import { callLimitMs } from './api-fetch.ts';

test('a large file gets the time a slow line needs, and the timeout of a call stays the same', () => {
  for (const bytes of [0, 1, 2_000]) expect(callLimitMs(bytes)).toBe(30_000);
  // 49 MB at 512 kbit/s take 13 minutes.
  expect(callLimitMs(49 * 1024 * 1024)).toBeGreaterThan(13 * 60_000);
});
