import { expect, test } from 'vitest';
import { manyClients, manyFromPlan } from './many-clients.ts';

test('numbers names with as many digits as the last one needs', () => {
  const clients = manyClients(
    {
      prefix: ' team-',
      first: 9,
      count: 3,
      quotaBytes: 1.5 * 1024 ** 3,
      term: 2,
      group: 'vip',
      plan: null,
      inboundIds: ['4', '5'],
    },
    1_000,
  );
  expect(clients.map(({ client }) => client.email)).toEqual(['team-09', 'team-10', 'team-11']);
  expect(clients[0]).toEqual({
    client: { email: 'team-09', totalGB: 1_610_612_736, expiryTime: 172_801_000, group: 'vip', enable: true },
    inboundIds: [4, 5],
  });
});

test('no days means never', () => {
  const [only] = manyClients(
    { prefix: 'a', first: 1, count: 1, quotaBytes: 0, term: null, group: '', plan: null, inboundIds: [] },
    1_000,
  );
  expect(only?.client).toMatchObject({ email: 'a1', totalGB: 0, expiryTime: 0 });
});

test('a plan fills the form, and says for each client what the form does not', () => {
  const plan = { id: 3, name: 'p', quotaBytes: 7, days: 2, startsAtFirstUse: true, reset: 5, resetDay: 0, limitIp: 1 };
  const filled = manyFromPlan({ ...plan, group: '', flow: '', inboundIds: [4], clientCount: 0 });
  const form = { prefix: 'a', first: 1, count: 1, quotaBytes: 0, term: null, group: 'own', plan: null, inboundIds: [] };
  expect(manyClients({ ...form, ...filled }, 1_000)).toEqual([
    {
      client: { email: 'a1', totalGB: 7, expiryTime: -172_800_000, group: 'own', enable: true, planId: 3 },
      inboundIds: [4],
    },
  ]);
});
