import type { Client } from 'pg';
import { expect, test } from 'vitest';
import { lockDatabase } from './connect.ts';

test('a holder that ends between two looks does not keep the next one out', async () => {
  const results = [[{ isHeld: 0 }], [], [{ isHeld: 1 }]];
  const client = { query: async () => ({ rows: results.shift() }) } as unknown as Client;
  await lockDatabase(client);
  expect(results).toEqual([]);
});
