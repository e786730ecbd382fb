import { expect, test } from 'vitest';
import { callLimitMs } from './api-fetch.ts';

test('a large file has the time that a slow line needs, a call no more than before', () => {
  expect(callLimitMs(0)).toBe(30_000);
  // 49 MB at 512 kbit a second take 13 minutes.
  expect(callLimitMs(49 * 1024 * 1024)).toBeGreaterThan(13 * 60_000);
});
