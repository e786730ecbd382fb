import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSharedDatabase, type SharedDatabase } from '../../testing/panels/shared-database.ts';

let shared: SharedDatabase;
beforeEach(async () => void (shared = await openSharedDatabase()));
afterEach(() => shared.close());

const RIVALS = Array.from({ length: 8 }, (_, at) => `rival-${at}`);

test('renames, quotas, resets and ticks race at two panels: one name has one owner, no byte counts twice, no caller sees a deadlock', async () => {
  const active = await shared.startAt(shared.first);
  const other = await shared.startAt(await shared.anotherFolder());
  await other.panel.app.coreBooted;
  const panels = [active.panel, other.panel];
  const here = await active.panel.inbound(20_443);
  const there = await active.panel.inbound(20_444, { serverId: other.server.id });
  for (const email of RIVALS) await active.panel.add({ email, totalGB: 100 }, [here, there]);
  await expect.poll(() => other.panel.core.users(there)).toHaveLength(RIVALS.length);
  active.panel.core.start();

  const refusals = new Set<string>();
  const send = async (at: number, path: string, body?: object): Promise<boolean> => {
    const { success, error } = await panels[at % 2]!.post(path, body);
    if (!success) refusals.add(error?.code ?? 'none');
    return success;
  };
  const clients = await Promise.all(
    RIVALS.map(async (email) => (await active.panel.read<{ client: object }>(`/clients/get/${email}`)).client),
  );
  // Each core moves bytes for all of them while every rival claims the same name, and quotas grow one by one.
  for (const { core } of panels) for (const email of RIVALS) core.move('users', email, 0, 40);
  const renamed = Promise.all(
    RIVALS.map((email, at) =>
      Promise.all([0, 1].map((side) => send(side, `/clients/update/${email}`, { ...clients[at], email: 'wanted' }))),
    ),
  );
  const adjusted = Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      send(at, '/clients/bulkAdjust', { emails: RIVALS, addDays: 0, addBytes: 10 }),
    ),
  );
  const reset = Promise.all(panels.map((_, at) => send(at, '/clients/resetAllTraffics')));
  const ticked = Promise.all(panels.map((panel) => panel.tick()));
  const [renames, adjustments] = await Promise.all([renamed, adjusted, reset, ticked]);
  for (const panel of panels) await panel.tick();

  expect(renames.flat().filter(Boolean)).toHaveLength(1);
  expect(adjustments.filter((_, at) => at % 2 === 1)).not.toContain(true);
  expect(adjustments.filter(Boolean)).toHaveLength(10);
  expect([...refusals].sort()).toEqual(['client.duplicateEmail', 'store.standby']);
  const left = await other.panel.read<{ email: string; totalGB: number; traffic: { down: number } }[]>('/clients/list');
  // A reset subtracts from the ledger what it takes from the client.
  const { rows } = await sql<{ counted: number; left: number }>`SELECT
    sum(downBytes) FILTER (WHERE downBytes > 0) AS counted, sum(downBytes) AS "left" FROM trafficLedger`.execute(
    active.store.reader,
  );
  expect(rows).toEqual([
    { counted: RIVALS.length * 2 * 40, left: left.reduce((sum, { traffic }) => sum + traffic.down, 0) },
  ]);
  const isRenamed = ({ email }: { email: string }): boolean => email === 'wanted';
  expect(left).toHaveLength(RIVALS.length);
  expect(left.filter(isRenamed)).toHaveLength(1);
  // Adjustments still use the old name of the renamed client.
  expect(left.filter((one) => !isRenamed(one)).map(({ totalGB }) => totalGB)).toEqual(
    Array.from({ length: RIVALS.length - 1 }, () => 200),
  );
});

test('jobs requested at two panels run once; a job whose panel loses its place leaves nothing, and the next panel runs it', async () => {
  const first = await shared.startAt(shared.first);
  const folder = await shared.anotherFolder();
  const second = await shared.startAt(folder);
  const inboundId = await first.panel.inbound(20_443);
  const items = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ client: { email: `${name}-${at}` }, inboundIds: [inboundId] }));
  const create = (at: typeof first, name: string, count: number) =>
    at.panel.post('/clients/bulkCreate', items(name, count));
  const namedSo = async (at: typeof first, name: string): Promise<number> =>
    (await at.panel.read<{ email: string }[]>('/clients/list')).filter(({ email }) => email.startsWith(name)).length;

  const responses = await Promise.all([first, second, first, second].map((at) => create(at, 'same', 600)));
  expect(responses.map(({ success, error }) => (success ? 'done' : error?.code))).toEqual([
    'done',
    'store.standby',
    'done',
    'store.standby',
  ]);
  const created = responses.flatMap(({ success, obj }) => (success ? [(obj as { created: number }).created] : []));
  expect(created.toSorted((a, b) => a - b)).toEqual([0, 600]);
  expect(await namedSo(second, 'same')).toBe(600);

  const cut = create(first, 'later', 2_000).catch(() => null);
  const isUnderWay = async (): Promise<boolean> =>
    (await first.panel.read<{ state: string; done: number }[]>('/jobs')).some(
      ({ state, done }) => state === 'running' && done > 0,
    );
  await expect.poll(isUnderWay, { interval: 5 }).toBe(true);
  const thief = await shared.depose();
  await first.over;
  expect((await cut)?.success ?? false).toBe(false);
  await first.close();
  await thief.release();
  await second.over;
  await second.close();
  const next = await shared.startAt(folder, true);
  expect(await namedSo(next, 'later')).toBe(0);
  expect((await create(next, 'later', 2_000)).obj).toMatchObject({ created: 2_000 });
  expect(await namedSo(next, 'later')).toBe(2_000);
});
