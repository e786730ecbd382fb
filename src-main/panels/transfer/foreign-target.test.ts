import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { afterTest } from '../../../src-server/testing/for-each-test.ts';
import { openPanel, type TestPanel } from '../../../src-server/testing/panels/open-panel.ts';
import { openRecordedPanel } from '../../../src-server/testing/peers/recorded-panel.ts';
import type { PanelTarget } from '../messages.ts';
import { openSealedStore, type SealedStore } from '../store/sealed-store.ts';
import { openJobs, transfer, type TestJobs } from '../jobs/testing-jobs.ts';
import { target } from '../testing-target.ts';

type Other = Awaited<ReturnType<typeof openRecordedPanel>>;
const CLIENTS = ['ali@example.org', 'sara@example.org', 'omid@example.org'];

let store: SealedStore;
let here: TestPanel;
let jobs: TestJobs;
let targets: Map<string, PanelTarget>;
beforeEach(async () => {
  store = openSealedStore(null, randomBytes(32));
  here = await openPanel({ startMs: Date.now() });
  afterTest(() => here.close());
  targets = new Map([['here', target('here', here.app.panel.url)]]);
  jobs = openJobs(store, targets);
});
afterEach(async () => {
  store.close();
});

async function openOther(options: Partial<Parameters<typeof openRecordedPanel>[0]> = {}): Promise<Other> {
  const other = await openRecordedPanel({ token: 'theirs', ...options });
  afterTest(other.close);
  targets.set('there', target('there', other.url, 'theirs'));
  return other;
}

/** An inbound with everything that another panel may lack. */
async function fill(): Promise<number> {
  const inboundId = await here.inbound(4430, { remark: 'Door' });
  const child = await here.inbound(4431, { remark: 'Child', listen: '127.0.0.1' });
  const { id: planId } = await here.done<{ id: number }>('/plans/add', { name: 'Gold', days: 30 });
  for (const email of CLIENTS)
    await here.add({ email, subId: `sub-${email}`, totalGB: 9e9, group: 'family', planId, resetDay: 3, tgId: 77 }, [
      inboundId,
    ]);
  await here.done('/clients/updateTraffic/ali@example.org', { upload: 100, download: 200 });
  await here.done('/clients/ali@example.org/externalLinks', {
    externalLinks: [{ kind: 'subscription', value: 'https://else.example/sub', remark: 'Else' }],
  });
  await here.done('/hosts/add', { inboundId, remark: 'Front', address: 'front.example.org', port: 443 });
  await here.done(`/inbounds/${inboundId}/fallbacks`, { fallbacks: [{ childId: child, path: '/child' }] });
  return inboundId;
}
const stateOf = ({ inbounds, clients }: Other): string => JSON.stringify([inbounds, clients]);

it('copies to another maker’s panel: the plan reports what it does not support, the rest arrives', async () => {
  const other = await openOther();
  const inboundId = await fill();
  const { id, result: plan } = await jobs.planned(transfer({ inboundIds: [inboundId] }));
  expect(plan).toMatchObject({ inboundCount: 1, clientCount: 3, refusedCount: 0, hostCount: 0 });
  expect(plan!.inbounds[0]!.notes).toEqual([
    { code: 'hostsLeft', params: { count: 1 } },
    { code: 'fallbacksUnknown', params: { count: 1 } },
  ]);
  expect(plan!.clients.map(({ notes }) => notes)).toEqual(
    CLIENTS.map(() => [{ code: 'planLeft', params: { plan: 'Gold' } }]),
  );
  expect(await jobs.done(id)).toMatchObject({ state: 'done', trouble: null });

  const mine = new Map(
    (await here.read<{ email: string; uuid: string }[]>('/clients/list')).map((row) => [row.email, row]),
  );
  const made = other.inbounds.at(-1)!;
  expect(made).toMatchObject({ remark: 'Door', port: 4430, protocol: 'vless', enable: true });
  const copied = other.clients.filter(({ inboundIds }) => inboundIds.includes(made.id));
  expect(copied.map(({ email, uuid, subId, totalGB }) => [email, uuid, subId, totalGB])).toEqual(
    CLIENTS.map((email) => [email, mine.get(email)!.uuid, `sub-${email}`, 9e9]),
  );
  expect(copied[0]).toMatchObject({
    traffic: { up: 100, down: 200 },
    externalLinks: [{ kind: 'subscription', value: 'https://else.example/sub', remark: 'Else' }],
    group: 'family',
    tgId: 77,
  });
});

it.each([
  ['all of our fields', []],
  ['no other secrets than its own', ['password', 'auth', 'subId', 'resetDay', 'group', 'tgId']],
])('is undone completely on a panel that keeps %s', async (_, without) => {
  const other = await openOther({ without });
  const inboundId = await fill();
  const untouched = stateOf(other);
  // Taken between plan and execution: that panel still creates the others, and reports the one it left out.
  const { id } = await jobs.planned(transfer({ mode: 'move', inboundIds: [inboundId] }));
  const stranger = { ...structuredClone(other.clients[0]!), id: 9_999, email: 'omid@example.org', subId: 'theirs' };
  other.clients.push(stranger);
  const before = stateOf(other);
  expect(await jobs.done(id)).toMatchObject({
    state: 'failed',
    trouble: { code: 'clientsRefused', params: { words: expect.stringContaining('already in use') as string } },
  });
  expect(stateOf(other)).toBe(before);
  // It did not exist before, did exist, and does not: it was created and deleted again.
  expect(other.requests.filter((call) => call.startsWith('POST'))).toEqual(
    expect.arrayContaining(
      ['inbounds/add', 'clients/bulkCreate', 'clients/bulkDel', 'inbounds/del/15'].map(
        (path) => `POST /panel/api/${path}`,
      ),
    ),
  );
  expect(await here.read('/inbounds/list/counted')).toMatchObject([{ enable: true }, {}]);

  other.clients.pop();
  expect(stateOf(other)).toBe(untouched);
  const again = await jobs.planned(transfer({ inboundIds: [inboundId] }));
  expect(await jobs.done(again.id)).toMatchObject({ state: 'done', trouble: null });
  expect(other.clients.slice(-3).map(({ email }) => email)).toEqual(CLIENTS);
});
