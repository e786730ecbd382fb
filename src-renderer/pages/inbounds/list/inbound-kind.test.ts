import { expect, test } from 'vitest';
import type { Inbound } from '#contract/inbounds';
import { clientsOnlyAt, kindOf } from './inbound-kind.ts';

const row = (id: number, ...emails: string[]) =>
  ({ id, clientStats: emails.map((email) => ({ email })) }) as unknown as Inbound;

test('counts the clients that have no other inbound', () => {
  const rows = [row(1, 'a', 'b'), row(2, 'b', 'c'), row(3)];
  expect(clientsOnlyAt([1], rows)).toBe(1);
  expect(clientsOnlyAt([1, 2], rows)).toBe(3);
  expect(clientsOnlyAt([3], rows)).toBe(0);
});

test('says only what is known of broken sections', () => {
  expect(kindOf({ protocol: 'vless', streamSettings: '{broken' })).toEqual(['vless']);
  expect(kindOf({ protocol: 'vless', streamSettings: { network: 'ws', security: 'none' } })).toEqual(['vless', 'ws']);
});
