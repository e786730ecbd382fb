import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { runBatch } from '../store/batch.ts';
import { openTestStore } from '../testing/test-store.ts';
import { createDesiredState } from './desired-state.ts';

const TEMPLATE = { outbounds: [] };
let opened: Awaited<ReturnType<typeof openTestStore>> | undefined;
afterEach(async () => {
  await opened?.dispose();
  opened = undefined;
});

/** An inbound with `count` clients; the first is disabled, the second carries overrides. */
async function seed(count: number): Promise<ReturnType<typeof createDesiredState>> {
  opened = await openTestStore();
  await opened.store.write(async (trx) => {
    for (const [tag, enable, nodeId] of [
      ['in-1', 1, null],
      ['in-off', 0, null],
      ['in-node', 1, 7],
    ] as const) {
      await trx
        .insertInto('inbounds')
        .values({
          tag,
          enable,
          nodeId,
          remark: '',
          disabledBy: '',
          listen: '',
          port: 1000,
          protocol: 'vless',
          settings: '{"decryption":"none"}',
          streamSettings: '',
          sniffing: '',
          expiresAtMs: 0,
          quotaBytes: 0,
          upBytes: 0,
          downBytes: 0,
          trafficReset: 'never',
          lastTrafficResetAtMs: 0,
          originNodeGuid: '',
          createdAtMs: 1,
          updatedAtMs: 1,
        })
        .execute();
    }
    const ids = Float64Array.from({ length: count }, (_, i) => i + 1);
    const emails = Array.from({ length: count }, (_, i) => `User-${i + 1}`);
    const keys = emails.map((email) => email.toLowerCase());
    await runBatch(
      trx,
      sql`INSERT INTO clients (id, email, emailKey, subId, uuid, password, auth, flow, security, reverse, limitIp, tgId,
            groupName, comment, createdAtMs, updatedAtMs)
          VALUES (${0}, ${''}, ${''}, '', ${''}, 'record-pw', '', '', '', '', 0, 0, '', '', 1, 1)`,
      [ids, emails, keys, emails.map((_, i) => `uuid-${i + 1}`)],
      count,
    );
    await runBatch(
      trx,
      sql`INSERT INTO clientStates (clientId, enable, disabledBy, quotaBytes, expiresAtMs, resetDays, upBytes, downBytes,
            lastOnlineAtMs)
          VALUES (${0}, ${0}, '', 0, 0, 0, 0, 0, 0)`,
      [ids, emails.map((_, i) => (i === 0 ? 0 : 1))],
      count,
    );
    await runBatch(trx, sql`INSERT INTO clientInbounds VALUES (${0}, 1, '', '', 1)`, [ids], count);
    await trx.updateTable('clients').set({ reverse: '{"tag":" rev "}' }).where('id', '=', 2).execute();
    await trx
      .updateTable('clientInbounds')
      .set({ flowOverride: 'xtls-rprx-vision', passwordOverride: 'own-pw' })
      .where('clientId', '=', 2)
      .execute();
  });
  return createDesiredState(opened.store, async () => TEMPLATE);
}

test('only enabled local inbounds with enabled clients, in id order, across read pages', async () => {
  const desired = await seed(9_000);
  const { inbounds, template } = await desired.full();
  expect(template).toBe(TEMPLATE);
  expect(inbounds.map(({ tag }) => tag)).toEqual(['in-1']);
  const emails = inbounds[0]!.clients.map(({ email }) => email);
  expect(emails.length).toBe(8_999);
  expect(emails).toEqual(Array.from({ length: 8_999 }, (_, i) => `User-${i + 2}`));
  expect(await desired.inbound(2)).toBeNull();
  expect(await desired.inbound(3)).toBeNull();
});

test('for given users: only the enabled ones, in any letter case, with their attachment values', async () => {
  const desired = await seed(20);
  const source = await desired.inboundUsers(1, ['user-1', 'USER-2', 'nobody']);
  expect(source?.settings).toEqual({ decryption: 'none' });
  expect(source?.clients).toEqual([
    { email: 'User-2', id: 'uuid-2', password: 'own-pw', auth: '', flow: 'xtls-rprx-vision', reverseTag: 'rev' },
  ]);
});

test('inbounds without clients carry none', async () => {
  const desired = await seed(3);
  expect((await desired.framesOnly()).map(({ clients }) => clients.length)).toEqual([0]);
});

test('a client of several inbounds has the values of each attachment, and one object where they are the same', async () => {
  const desired = await seed(4);
  await opened!.store.write(async (trx) => {
    await trx.updateTable('inbounds').set({ enable: 1 }).where('id', '=', 2).execute();
    for (const [clientId, passwordOverride] of [
      [2, ''],
      [3, ''],
      [4, 'second-pw'],
    ] as const)
      await trx
        .insertInto('clientInbounds')
        .values({ clientId, inboundId: 2, flowOverride: '', passwordOverride, createdAtMs: 1 })
        .execute();
  });
  const { inbounds } = await desired.full();
  const [first, second] = inbounds.map(({ clients }) => clients);
  expect(first!.map(({ password, flow }) => [password, flow])).toEqual([
    ['own-pw', 'xtls-rprx-vision'],
    ['record-pw', ''],
    ['record-pw', ''],
  ]);
  expect(second!.map(({ password, flow }) => [password, flow])).toEqual([
    ['record-pw', ''],
    ['record-pw', ''],
    ['second-pw', ''],
  ]);
  expect(second![0]).toMatchObject({ email: 'User-2', id: 'uuid-2', reverseTag: 'rev' });
  expect(second![1]).toBe(first![1]);
});

test('each enabled node reached through an outbound has its own bridge', async () => {
  const desired = await seed(0);
  const node = { remark: '', scheme: 'https', address: 'node.example', port: 1, basePath: '/', apiToken: '' } as const;
  const trust = { allowPrivateAddress: 0, tlsVerifyMode: 'verify', pinnedCertSha256: '' } as const;
  const rest = { ...trust, inboundSyncMode: 'all', inboundTags: '[]', createdAtMs: 1, updatedAtMs: 1 } as const;
  await opened!.store.write(async (trx) => {
    for (const [name, enable, outboundTag] of [
      ['through', 1, 'exit'],
      ['directly', 1, ''],
      ['off', 0, 'exit'],
    ] as const)
      await trx
        .insertInto('nodes')
        .values({ ...node, ...rest, name, enable, outboundTag })
        .execute();
  });
  expect((await desired.full()).bridges).toEqual([{ tag: 'node-egress-1', target: 'exit', firstPort: 62_801 }]);
});

test('another template is taken without reading the stored one, which may be broken', async () => {
  opened = await openTestStore();
  const desired = createDesiredState(opened.store, () => Promise.reject(new Error('not JSON')));
  expect((await desired.full(TEMPLATE)).template).toBe(TEMPLATE);
});
