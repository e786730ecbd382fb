import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PanelServer } from '../../domains/servers/contract.ts';
import { openSharedDatabase, type SharedDatabase } from '../../testing/panels/shared-database.ts';

let shared: SharedDatabase;
let active: Awaited<ReturnType<SharedDatabase['startAt']>>;
let other: typeof active;
let otherFolder: string;
beforeEach(async () => {
  shared = await openSharedDatabase();
  active = await shared.startAt(shared.first);
  otherFolder = await shared.anotherFolder();
  other = await shared.startAt(otherFolder);
  await other.panel.app.coreBooted;
});
afterEach(() => shared.close());

const usersAt = (one: typeof active, inboundId: number) => expect.poll(() => one.panel.core.users(inboundId));
const movedBy = async (email: string): Promise<number> =>
  (await active.panel.read<{ down: number }>(`/clients/traffic/${email}`)).down;
const ledgerSum = async (): Promise<number> => {
  const { rows } = await sql<{ down: number }>`SELECT coalesce(sum(downBytes), 0) AS down FROM trafficLedger`.execute(
    active.store.reader,
  );
  return rows[0]!.down;
};
/** Its core moves bytes, and they are counted there. */
async function moveAt(one: typeof active, email: string, bytes: number): Promise<void> {
  one.panel.core.move('users', email, 0, bytes);
  await one.panel.tick();
}
const servers = () => active.panel.read<PanelServer[]>('/servers/list');

test('an inbound runs on the server it names, follows every change made at the active panel, and may move', async () => {
  expect(await servers()).toMatchObject(
    [
      { id: active.server.id, state: 'active', isHere: true, address: active.panel.app.panel.url },
      { id: other.server.id, state: 'standby', isHere: false, address: other.panel.app.panel.url, core: null },
    ].sort((a, b) => a.id.localeCompare(b.id)),
  );
  expect(other.panel.core.status().state).toBe('stop');
  const refused = (serverId: string, more: object = {}) =>
    active.panel.post('/inbounds/add', { port: 20_400, protocol: 'vless', settings: {}, serverId, ...more });
  expect(await refused('nobody')).toMatchObject({ error: { code: 'inbound.serverUnknown', params: { id: 'nobody' } } });
  const nodeId = await active.panel.unreachableNode();
  expect(await refused(other.server.id, { nodeId: (nodeId as { id?: number }).id ?? nodeId })).toMatchObject({
    error: { code: 'inbound.serverOfNode' },
  });

  const shownId = await active.panel.inbound(20_443);
  const inboundId = await active.panel.inbound(20_444, { serverId: other.server.id });
  await active.panel.add({ email: 'a' }, [inboundId, shownId]);
  await usersAt(other, inboundId).toEqual(['a']);
  expect(other.panel.core.users(shownId)).toBeNull();
  expect(active.panel.core.users(inboundId)).toBeNull();
  expect(active.panel.core.users(shownId)).toEqual(['a']);
  expect(await servers()).toContainEqual(expect.objectContaining({ id: other.server.id, inboundCount: 1 }));

  await active.panel.add({ email: 'b' }, [inboundId]);
  await usersAt(other, inboundId).toEqual(['a', 'b']);
  await active.panel.done('/clients/bulkDisable', { emails: ['a'] });
  await usersAt(other, inboundId).toEqual(['b']);
  // More names than fit in one message.
  const many = Array.from({ length: 300 }, (_, at) => `client-with-quite-a-long-name-${at}`);
  await active.panel.done(
    '/clients/bulkCreate',
    many.map((email) => ({ client: { email }, inboundIds: [inboundId] })),
  );
  await usersAt(other, inboundId).toHaveLength(301);
  await active.panel.done('/clients/bulkDel', { emails: many });
  await usersAt(other, inboundId).toEqual(['b']);

  // What applies to everyone reaches it, too.
  const before = other.panel.core.applied.length;
  const { xraySetting } = await active.panel.done<{ xraySetting: string }>('/core/');
  await active.panel.done('/core/update', { xraySetting });
  await expect
    .poll(() => other.panel.core.applied.slice(before))
    .toContainEqual(expect.objectContaining({ everything: true }));

  // The same port on another server is no conflict, but a port of whichever panel is active is.
  const place = { port: 20_444, listen: '', protocol: 'vless', nodeId: null, settings: {}, streamSettings: null };
  const check = (serverId: string | null) => active.panel.post('/inbounds/checkPlace', { ...place, serverId });
  expect(await check(active.server.id)).toMatchObject({ success: true });
  expect(await check(null)).toMatchObject({ error: { code: 'inbound.portTaken' } });
  expect(await check(other.server.id)).toMatchObject({ error: { code: 'inbound.portTaken' } });

  // The inbound moves to the active panel, and the server that had it no longer runs a core.
  const row = await active.panel.read<{ serverId: string }>(`/inbounds/get/${inboundId}`);
  expect(row.serverId).toBe(other.server.id);
  await active.panel.done(`/inbounds/update/${inboundId}`, { ...row, serverId: undefined, remark: 'kept' });
  await usersAt(other, inboundId).toEqual(['b']);
  await active.panel.done(`/inbounds/update/${inboundId}`, { ...row, serverId: null });
  await expect.poll(() => other.panel.core.status().state).toBe('stop');
  expect(active.panel.core.users(inboundId)).toEqual(['b']);
});

test('after a lost connection everything is compared as a whole', async () => {
  const inboundId = await active.panel.inbound(20_444, { serverId: other.server.id });
  await active.panel.add({ email: 'a' }, [inboundId]);
  await usersAt(other, inboundId).toEqual(['a']);
  await shared.command(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name LIKE 'switchyard standby%' AND datname = current_database()`);
  await active.panel.add({ email: 'b' }, [inboundId]);
  await active.panel.done('/clients/bulkDisable', { emails: ['a'] });
  await usersAt(other, inboundId).toEqual(['b']);
  expect((await servers()).map(({ state }) => state).sort()).toEqual(['active', 'standby']);
  await other.close();
  await expect.poll(async () => (await servers()).find(({ id }) => id === other.server.id)?.state).toBe('away');
});

test('bytes of every core are counted once, limits hold wherever they move, and a reassigned name is booked to its owner', async () => {
  const here = await active.panel.inbound(20_443);
  const there = await active.panel.inbound(20_444, { serverId: other.server.id });
  await active.panel.add({ email: 'a', totalGB: 1_000 }, [here, there]);
  await active.panel.add({ email: 'b' }, [there]);
  await usersAt(other, there).toEqual(['a', 'b']);
  active.panel.core.start();
  await moveAt(active, 'a', 300);
  await moveAt(other, 'a', 600);
  expect(await movedBy('a')).toBe(900);
  await active.panel.tick();
  expect(await active.panel.done('/clients/onlines')).toEqual(['a']);
  await moveAt(other, 'b', 1);
  await active.panel.tick();
  expect((await active.panel.done<string[]>('/clients/onlines')).sort()).toEqual(['a', 'b']);
  await usersAt(other, there).toEqual(['a', 'b']);
  // Together they exceed the quota: the active panel notices, and the other core drops the client.
  await moveAt(other, 'a', 200);
  await active.panel.tick();
  await usersAt(other, there).toEqual(['b']);
  expect(active.panel.core.users(here)).toEqual([]);
  expect(await active.panel.state('a')).toMatchObject({ enable: 0, disabledBy: 'loop' });
  await active.panel.done('/clients/resetTraffic/a');
  await usersAt(other, there).toEqual(['a', 'b']);

  // Bytes not read yet belong to the client that moved them.
  await moveAt(other, 'b', 10);
  other.panel.core.move('users', 'b', 0, 5);
  await active.panel.done('/clients/del/b');
  await active.panel.add({ email: 'b' }, [there]);
  await expect.poll(() => other.panel.core.reads).toBeGreaterThan(0);
  await usersAt(other, there).toEqual(['a', 'b']);
  await expect.poll(() => bearerAt('b')).toBe((await active.panel.state('b'))!.clientId);
  await moveAt(other, 'b', 7);
  expect(await movedBy('b')).toBe(7);
  // A new name is counted for the same client, and so are bytes that still move under the old one.
  const { client } = await active.panel.read<{ client: object }>('/clients/get/b');
  await active.panel.done('/clients/update/b', { ...client, email: 'c' });
  await usersAt(other, there).toEqual(['a', 'c']);
  other.panel.core.move('users', 'b', 0, 1);
  await moveAt(other, 'c', 2);
  expect(await movedBy('c')).toBe(10);
});

/** The client to whom the other server books this name. */
async function bearerAt(name: string): Promise<number | null> {
  const { rows } = await sql<{ ownerId: number | null }>`SELECT base.ownerId FROM counterBaselines AS base
    JOIN trafficSources AS source ON source.id = base.sourceId
    WHERE base.subject = ${name} AND source.guid = ${other.panel.parts.base.coreSource}`.execute(active.store.reader);
  return rows[0]?.ownerId ?? null;
}

test("a panel that takes over serves everyone's inbounds and its own; one that comes back serves its own again, and no byte is lost", async () => {
  const anywhere = await active.panel.inbound(20_443);
  const here = await active.panel.inbound(20_445, { serverId: active.server.id });
  const there = await active.panel.inbound(20_444, { serverId: other.server.id });
  await active.panel.add({ email: 'a' }, [anywhere, here, there]);
  await usersAt(other, there).toEqual(['a']);
  active.panel.core.start();
  await moveAt(active, 'a', 100);
  await moveAt(other, 'a', 1_000);
  // Moved since the last reading.
  active.panel.core.move('users', 'a', 0, 1);
  other.panel.core.move('users', 'a', 0, 2);
  const thief = await shared.depose();
  expect(await active.over).toBe('next');
  await active.close();
  await thief.release();
  expect(await other.over).toBe('next');
  await other.close();
  const former = active;
  active = await shared.startAt(otherFolder, true);
  expect(active.isStandby).toBe(false);
  expect(await ledgerSum()).toBe(1_102);
  expect((await servers()).find(({ id }) => id === former.server.id)).toMatchObject({ state: 'away', inboundCount: 1 });
  await active.panel.parts.engine.runtime.apply({ everything: true });
  expect([anywhere, there, here].map((id) => active.panel.core.users(id))).toEqual([['a'], ['a'], null]);

  other = await shared.startAt(shared.first, true);
  expect(other.isStandby).toBe(true);
  await other.panel.app.coreBooted;
  // What it had counted but could not book.
  await expect.poll(ledgerSum).toBe(1_103);
  await usersAt(other, here).toEqual(['a']);
  expect(other.panel.core.users(anywhere)).toBeNull();
  await moveAt(other, 'a', 10);
  expect(await movedBy('a')).toBe(1_113);
});
