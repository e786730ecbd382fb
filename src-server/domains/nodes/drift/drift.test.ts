import { beforeEach, describe, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startNodePair, type NodePair } from '../../../testing/panels/node-pair.ts';
import type { ClientRow } from '../../clients/contract.ts';
import type { Inbound } from '../../inbounds/contract.ts';
import type { DriftBoard, DriftKind, DriftVerb } from './contract.ts';

let inboundId: number;
const pair = forEachTest(startNodePair);
beforeEach(async () => {
  inboundId = await pair.central.inbound(443, { nodeId: pair.nodeId, remark: 'wanted' });
  await pair.central.add({ email: 'alice', totalGB: 1_000 }, [inboundId]);
  await pair.central.add({ email: 'bob', totalGB: 1_000 }, [inboundId]);
  await pair.sync();
});

const api = (rest = '') => `/nodes/drift/${pair.nodeId}${rest}`;
const board = (kind: DriftKind, query = '') => pair.central.read<DriftBoard>(api(`?kind=${kind}${query}`));
async function readBoard(kind: DriftKind): Promise<DriftBoard> {
  await pair.central.done(api('/read'));
  return board(kind);
}
const settle = (verb: DriftVerb, ...items: { kind: DriftKind; key: string }[]) =>
  pair.central.done<{ settled: number; skipped: { name: string; text: string }[] }>(api('/settle'), { verb, items });
const onlyShow = () => pair.central.done(api('/remoteEdits'), { remoteEdits: 'show' });
const client = (key: string) => ({ kind: 'client' as const, key });
const INBOUND = { kind: 'inbound' as const, key: 'in-443-tcp' };

const inboundAt = async (panel: NodePair['node']) => (await panel.read<Inbound[]>('/inbounds/list'))[0]!;
const clientAt = async (panel: NodePair['node'], email: string) =>
  (await panel.read<ClientRow[]>('/clients/list')).find((row) => row.email === email);

/** Edits an inbound directly on the node. */
async function editInboundThere(change: object): Promise<void> {
  const there = await inboundAt(pair.node);
  const { clients: _, ...settings } = there.settings as Record<string, unknown>;
  await pair.node.done(`/inbounds/update/${there.id}`, { ...there, settings, ...change });
}
/** Edits a client directly on the node. */
async function editClientThere(email: string, change: object): Promise<void> {
  await pair.node.done(`/clients/update/${email}`, { ...(await clientAt(pair.node, email)), ...change });
}

test('without edits everything agrees, and all rows can be listed', async () => {
  expect(await readBoard('inbound')).toMatchObject({
    remoteEdits: 'follow',
    inbounds: { total: 1, differ: 0 },
    clients: { total: 2, differ: 0 },
    total: 0,
    rows: [],
  });
  expect(await board('client', '&differs=false&pageSize=1&page=2')).toMatchObject({
    total: 2,
    rows: [{ name: 'bob', state: 'same', fields: [] }],
  });
  expect(await board('inbound', '&differs=false')).toMatchObject({ rows: [{ key: 'in-443-tcp', state: 'same' }] });
});

describe('a node whose edits are only shown', () => {
  beforeEach(() => onlyShow());

  test('a deletion here that waits for confirmation is not shown as an edit, and is sent once confirmed', async () => {
    const emails = Array.from({ length: 8 }, (_, at) => `gone-${at}`);
    for (const email of emails) await pair.central.add({ email }, [inboundId]);
    await pair.sync();
    await pair.central.done('/clients/bulkDel', { emails });
    await pair.sync();
    await editInboundThere({ remark: 'by hand' });
    await pair.sync();
    const [{ undecidedEdits }] = (await pair.central.read<{ undecidedEdits: number }[]>('/nodes/list')) as [
      { undecidedEdits: number },
    ];
    expect(undecidedEdits).toBe(1);
    const plans = await pair.central.read<{ kind: string; digest: string }[]>(`/nodes/plans/${pair.nodeId}`);
    await pair.central.done(`/nodes/plans/${pair.nodeId}/confirm`, { digest: plans[0]!.digest });
    await pair.sync();
    expect((await pair.node.read<ClientRow[]>('/clients/list')).map(({ email }) => email)).toEqual(['alice', 'bob']);
  });

  test('what no longer differs when it is decided is named, and the rest is settled', async () => {
    await editInboundThere({ remark: 'by hand' });
    await pair.sync();
    await readBoard('inbound');
    expect(await settle('send', INBOUND, client('alice'), client('nobody'))).toMatchObject({
      settled: 1,
      skipped: [{ name: 'alice', refusal: { code: 'node.planChanged' } }, { name: 'nobody' }],
    });
  });

  test('an edit is shown three ways, and is neither taken over nor overwritten', async () => {
    await editInboundThere({ remark: 'by hand' });
    await editClientThere('alice', { totalGB: 2_000 });
    await pair.sync();
    await pair.central.done('/clients/update/bob', { email: 'bob', totalGB: 3_000 });
    await pair.sync();
    expect((await inboundAt(pair.central)).remark).toBe('wanted');
    expect((await inboundAt(pair.node)).remark).toBe('by hand');
    expect([(await clientAt(pair.central, 'alice'))!.totalGB, (await clientAt(pair.node, 'alice'))!.totalGB]).toEqual([
      1_000, 2_000,
    ]);
    expect(await pair.central.read(`/nodes/get/${pair.nodeId}`)).toMatchObject({
      remoteEdits: 'show',
      undecidedEdits: 2,
    });
    // Everything not edited there is still delivered.
    expect((await clientAt(pair.node, 'bob'))!.totalGB).toBe(3_000);
    expect(await readBoard('inbound')).toMatchObject({
      inbounds: { total: 1, differ: 1 },
      clients: { total: 2, differ: 1 },
      rows: [
        {
          key: 'in-443-tcp',
          state: 'differs',
          isWaiting: false,
          fields: [{ field: 'remark', want: 'wanted', applied: 'wanted', has: 'by hand', isSecret: false }],
        },
      ],
    });
    expect((await board('client')).rows).toMatchObject([
      { name: 'alice', fields: [{ field: 'totalGB', want: 1_000, applied: 1_000, has: 2_000 }] },
    ]);
  });

  test('a client that only the node has is among all clients, after those that are known here', async () => {
    const { id } = await inboundAt(pair.node);
    await pair.node.add({ email: 'carol' }, [id]);
    await pair.sync();
    expect(await readBoard('client')).toMatchObject({
      clients: { total: 3, differ: 1 },
      total: 1,
      rows: [{ name: 'carol', state: 'onlyThere' }],
    });
    const all = (query: string) => board('client', `&differs=false&pageSize=2${query}`);
    expect(await all('')).toMatchObject({ total: 3, rows: [{ name: 'alice' }, { name: 'bob' }] });
    expect(await all('&page=2')).toMatchObject({ total: 3, rows: [{ name: 'carol', state: 'onlyThere' }] });
  });

  test('a change made here to something edited there waits for the decision, even across an absence', async () => {
    pair.setUp(false);
    await pair.sync();
    await editInboundThere({ remark: 'by hand' });
    await editClientThere('alice', { totalGB: 2_000, limitIp: 3 });
    const here = await inboundAt(pair.central);
    const { clients: _, ...settings } = here.settings as Record<string, unknown>;
    await pair.central.done(`/inbounds/update/${here.id}`, { ...here, settings, remark: 'wanted anew' });
    await pair.central.done('/clients/update/alice', { email: 'alice', totalGB: 5_000 });
    pair.setUp(true);
    await pair.sync();
    await pair.sync();
    expect((await inboundAt(pair.node)).remark).toBe('by hand');
    expect((await readBoard('inbound')).rows).toMatchObject([
      { isWaiting: true, fields: [{ want: 'wanted anew', applied: 'wanted', has: 'by hand' }] },
    ]);
    expect((await board('client')).rows).toMatchObject([
      {
        isWaiting: true,
        fields: [
          { field: 'totalGB', want: 5_000, applied: 1_000, has: 2_000 },
          { field: 'limitIp', want: 0, applied: 0, has: 3 },
        ],
      },
    ]);
    // Held back until decided, so there is nothing to wait for.
    expect(await pair.central.done(api('/read'))).toMatchObject({ underWay: 0 });
    expect(await settle('send', INBOUND)).toEqual({ settled: 1, skipped: [] });
    expect(await settle('adopt', client('alice'))).toEqual({ settled: 1, skipped: [] });
    await pair.sync();
    expect((await inboundAt(pair.node)).remark).toBe('wanted anew');
    expect(await clientAt(pair.central, 'alice')).toMatchObject({ totalGB: 2_000, limitIp: 3 });
    expect(await readBoard('client')).toMatchObject({ inbounds: { differ: 0 }, clients: { differ: 0 } });
  });

  test('a client disabled here is disabled there, whatever else was edited', async () => {
    await editClientThere('alice', { totalGB: 2_000 });
    await pair.sync();
    await pair.central.done('/clients/bulkDisable', { emails: ['alice'] });
    await pair.sync();
    expect(await clientAt(pair.node, 'alice')).toMatchObject({ enable: false, totalGB: 2_000 });
  });

  test('a client deleted there is missing and not sent again; a client added there exists only there', async () => {
    await pair.node.done('/clients/del/bob');
    await pair.node.add({ email: 'carol' }, [(await inboundAt(pair.node)).id]);
    await pair.tick();
    await pair.tick();
    await pair.tick();
    expect(await clientAt(pair.node, 'bob')).toBeUndefined();
    expect(await clientAt(pair.central, 'carol')).toBeUndefined();
    expect((await readBoard('client')).rows).toMatchObject([
      { name: 'bob', state: 'missing' },
      { name: 'carol', state: 'onlyThere', id: 0 },
    ]);
    expect(await settle('adopt', client('bob'), client('carol'))).toMatchObject({
      settled: 1,
      skipped: [{ name: 'bob', text: 'the node does not have bob: there is nothing to take over' }],
    });
    expect((await settle('send', client('bob'))).settled).toBe(1);
    await pair.sync();
    expect((await clientAt(pair.node, 'bob'))!.subId).toBe((await clientAt(pair.central, 'bob'))!.subId);
    expect((await clientAt(pair.central, 'carol'))!.id).toBe((await clientAt(pair.node, 'carol'))!.id);
    expect(await readBoard('client')).toMatchObject({ clients: { total: 3, differ: 0 } });
  });

  test('sending removes clients added on the node, and restores a lost inbound with all its clients', async () => {
    await pair.node.add({ email: 'carol' }, [(await inboundAt(pair.node)).id]);
    await pair.sync();
    await readBoard('client');
    await settle('send', client('carol'));
    expect(await clientAt(pair.node, 'carol')).toBeUndefined();
    await pair.node.done(`/inbounds/del/${(await inboundAt(pair.node)).id}`);
    await pair.tick();
    await pair.tick();
    expect(await pair.node.read('/inbounds/list')).toEqual([]);
    expect((await readBoard('inbound')).rows).toMatchObject([{ key: 'in-443-tcp', state: 'missing' }]);
    await settle('send', INBOUND);
    // The inbound goes first; its clients follow once it was seen there.
    await expect
      .poll(async () => {
        await pair.tick();
        return (await inboundAt(pair.node)).settings;
      })
      .toMatchObject({ clients: [{ email: 'alice' }, { email: 'bob' }] });
  });

  test('a stored state that cannot be read is one that is not known', async () => {
    const spoil = (fields: string) =>
      pair.central.store.write((trx) => trx.updateTable('nodeApplied').set({ fields }).execute());
    await editInboundThere({ remark: 'by hand' });
    await editClientThere('alice', { totalGB: 2_000 });
    for (const text of ['{bad', '[]', '{"links":[1]}']) {
      await spoil(text);
      await pair.sync();
      expect((await readBoard('inbound')).rows, text).toMatchObject([
        { state: 'differs', fields: [{ field: 'remark', want: 'wanted', isAppliedKnown: false, has: 'by hand' }] },
      ]);
      expect((await board('client')).rows, text).toMatchObject([
        { name: 'alice', fields: [{ field: 'totalGB', want: 1_000, isAppliedKnown: false, has: 2_000 }] },
      ]);
    }
    await spoil('{bad');
    await pair.node.done(`/inbounds/del/${(await inboundAt(pair.node)).id}`);
    await pair.tick();
    await pair.tick();
    await readBoard('inbound');
    await settle('send', INBOUND);
    await expect
      .poll(async () => {
        await pair.tick();
        return (await inboundAt(pair.node)).settings;
      })
      .toMatchObject({ clients: [{ email: 'alice' }, { email: 'bob' }] });
  });

  test.each(['added', 'added, and sent once more since the answer was lost,'])(
    'a lost inbound gets all its clients, even if the node goes away after it was %s and before they arrive',
    async (how) => {
      await pair.node.done(`/inbounds/del/${(await inboundAt(pair.node)).id}`);
      await pair.tick();
      await pair.tick();
      await readBoard('inbound');
      let path = 'inbounds/add';
      if (how !== 'added') {
        pair.loseResponse(path);
        await settle('send', INBOUND);
        await pair.central.nodes.idle();
        path = `inbounds/update/${(await inboundAt(pair.node)).id}`;
      }
      const sent = pair.hold(path);
      const visited = how === 'added' ? settle('send', INBOUND) : pair.sync();
      await sent.reached;
      sent.release();
      pair.setUp(false);
      await visited;
      await pair.sync();
      pair.setUp(true);
      await expect
        .poll(async () => {
          await pair.tick();
          return (await inboundAt(pair.node)).settings;
        })
        .toMatchObject({ clients: [{ email: 'alice' }, { email: 'bob' }] });
      expect((await readBoard('client')).rows).toEqual([]);
    },
  );

  test('a name sent from here is no edit, even if the response was lost, and the counter goes on', async () => {
    await pair.useThere('alice', 100);
    pair.loseResponse(`clients/update/alice?inboundIds=${(await inboundAt(pair.node)).id}`);
    await pair.central.done('/clients/update/alice', { email: 'carol' });
    await pair.useThere('carol', 7);
    await pair.tick();
    expect((await readBoard('client')).rows).toEqual([]);
    expect(await pair.central.state('carol')).toMatchObject({ upBytes: 107 });
  });

  test('an inbound that belongs to the node is shown, and taken over only on request', async () => {
    await pair.node.inbound(8443, { remark: 'its own' });
    await pair.sync();
    expect(await pair.central.read('/inbounds/list')).toHaveLength(1);
    expect((await readBoard('inbound')).rows).toMatchObject([{ key: 'in-8443-tcp', state: 'onlyThere', id: 0 }]);
    expect(await settle('send', { kind: 'inbound', key: 'in-8443-tcp' })).toMatchObject({
      settled: 0,
      skipped: [{ name: 'in-8443-tcp' }],
    });
    await settle('adopt', { kind: 'inbound', key: 'in-8443-tcp' });
    expect(await pair.central.read('/inbounds/list')).toMatchObject([{ port: 443 }, { port: 8443, remark: 'its own' }]);
  });

  test('many clients are sent at once without touching what was edited there', async () => {
    await editClientThere('alice', { totalGB: 2_000 });
    await pair.node.add({ email: 'carol' }, [(await inboundAt(pair.node)).id]);
    await pair.sync();
    const many = Array.from({ length: 40 }, (_, at) => ({ client: { email: `many${at}` }, inboundIds: [inboundId] }));
    await pair.central.done('/clients/bulkCreate', many);
    await pair.sync();
    expect(await pair.node.read('/clients/list')).toHaveLength(43);
    expect((await clientAt(pair.node, 'alice'))!.totalGB).toBe(2_000);
  });

  test('switching back takes over what was only shown', async () => {
    await editInboundThere({ remark: 'by hand' });
    await pair.sync();
    await pair.central.done(api('/remoteEdits'), { remoteEdits: 'follow' });
    await pair.sync();
    expect((await inboundAt(pair.central)).remark).toBe('by hand');
  });
});

test('an edit made there at the moment of switching to "only show" is not overwritten', async () => {
  const { name } = await pair.central.read<{ name: string }>(`/nodes/get/${pair.nodeId}`);
  const way = { scheme: 'http', address: '127.0.0.1', port: pair.port, allowPrivateAddress: true };
  const trust = { tlsVerifyMode: 'skip' };
  await pair.central.done(`/nodes/update/${pair.nodeId}`, { name, ...way, ...trust, remoteEdits: 'show' });
  await pair.central.done('/clients/update/alice', { email: 'alice', totalGB: 5_000 });
  // The panel has read the node and is about to deliver.
  const held = pair.hold('inbounds/list');
  const under = pair.sync();
  await held.reached;
  await editInboundThere({ remark: 'by hand' });
  await editClientThere('alice', { totalGB: 2_000 });
  await editClientThere('bob', { totalGB: 3_000 });
  held.release();
  await under;
  await pair.sync();
  expect((await inboundAt(pair.node)).remark).toBe('by hand');
  expect((await clientAt(pair.node, 'alice'))!.totalGB).toBe(2_000);
  expect((await clientAt(pair.node, 'bob'))!.totalGB).toBe(3_000);
  expect((await readBoard('inbound')).rows).toMatchObject([{ fields: [{ want: 'wanted', has: 'by hand' }] }]);
  expect((await board('client')).rows).toMatchObject([
    { name: 'alice', isWaiting: true, fields: [{ want: 5_000, applied: 1_000, has: 2_000 }] },
    { name: 'bob', isWaiting: false, fields: [{ want: 1_000, applied: 1_000, has: 3_000 }] },
  ]);
});

test('a delivery in progress has finished when "only show" is answered, whichever page it was chosen on', async () => {
  const way = { name: 'node', scheme: 'http', address: '127.0.0.1', port: pair.port, allowPrivateAddress: true };
  const update = { ...way, tlsVerifyMode: 'skip', remoteEdits: 'show' };
  const choices = [onlyShow, () => pair.central.done(`/nodes/update/${pair.nodeId}`, update)];
  for (const [at, choose] of choices.entries()) {
    await pair.central.done(api('/remoteEdits'), { remoteEdits: 'follow' });
    await pair.sync();
    const held = pair.hold('clients/get/alice');
    await pair.central.done('/clients/update/alice', { email: 'alice', totalGB: 5_000 + at });
    await held.reached;
    let hasResponded = false;
    const chosen = choose().then(() => (hasResponded = true));
    const shown = () => pair.central.read<{ remoteEdits: string }>(`/nodes/get/${pair.nodeId}`);
    await expect.poll(async () => (await shown()).remoteEdits).toBe('show');
    await shown();
    expect(hasResponded).toBe(false);
    held.release();
    await chosen;
    expect((await clientAt(pair.node, 'alice'))!.totalGB).toBe(5_000 + at);
    await editClientThere('alice', { totalGB: 2_000 });
    await pair.sync();
    expect((await clientAt(pair.node, 'alice'))!.totalGB).toBe(2_000);
  }
});

test('what is left alone stays unchanged on both sides, and shown, until it is decided or equal again', async () => {
  await editInboundThere({ remark: 'by hand' });
  await editClientThere('alice', { totalGB: 2_000 });
  expect((await readBoard('inbound')).inbounds.differ).toBe(1);
  expect(await settle('leave')).toEqual({ settled: 2, skipped: [] });
  await pair.sync();
  await pair.central.done('/clients/update/alice', { email: 'alice', totalGB: 9_000 });
  await pair.sync();
  expect([(await inboundAt(pair.central)).remark, (await inboundAt(pair.node)).remark]).toEqual(['wanted', 'by hand']);
  expect((await clientAt(pair.node, 'alice'))!.totalGB).toBe(2_000);
  expect(await readBoard('client')).toMatchObject({
    inbounds: { differ: 1, left: 1 },
    clients: { differ: 1, left: 1 },
    rows: [{ name: 'alice', isLeft: true, isWaiting: true }],
  });
  // "All" means all rows without a decision.
  expect((await settle('send')).settled).toBe(0);
  await editInboundThere({ remark: 'wanted' });
  expect(await readBoard('inbound')).toMatchObject({ inbounds: { differ: 0, left: 0 } });
  await settle('send', client('alice'));
  await pair.sync();
  expect((await clientAt(pair.node, 'alice'))!.totalGB).toBe(9_000);
});

test('a node added as "only show" has nothing taken over at first contact', async () => {
  const more = await pair.another('second');
  await more.node.inbound(9443, { remark: 'its own' });
  const { port, token } = more;
  const details = {
    name: 'careful',
    scheme: 'http',
    address: '127.0.0.1',
    port,
    apiToken: token,
    allowPrivateAddress: true,
  };
  await pair.central.done(`/nodes/update/${more.nodeId}`, { ...details, remoteEdits: 'show' });
  await pair.sync();
  expect(await pair.central.read('/inbounds/list')).toHaveLength(1);
  // Omitted fields keep their values.
  await pair.central.done(`/nodes/update/${more.nodeId}`, details);
  await pair.sync();
  expect(await pair.central.read('/inbounds/list')).toHaveLength(1);
  expect((await pair.central.read<DriftBoard>(`/nodes/drift/${more.nodeId}`)).rows).toMatchObject([
    { key: 'in-9443-tcp', state: 'onlyThere' },
  ]);
});

test('secrets are compared and never shown', async () => {
  await onlyShow();
  const secret = '11111111-2222-4333-8444-555555555555';
  await editClientThere('alice', { id: secret });
  await pair.sync();
  await pair.central.done(api('/read'));
  const response = await pair.central.get(api('?kind=client'));
  expect((response.obj as DriftBoard).rows).toMatchObject([
    { name: 'alice', fields: [{ field: 'id', isSecret: true, want: null, applied: null, has: null }] },
  ]);
  const { id } = (await clientAt(pair.central, 'alice'))!;
  expect(JSON.stringify(response)).not.toContain(secret);
  expect(JSON.stringify(response)).not.toContain(id);
});

test('a node that is unreachable or disabled is reported as such', async () => {
  pair.setUp(false);
  expect(await pair.central.post(api('/read'))).toMatchObject({ success: false, error: { code: 'node.unreachable' } });
  await pair.central.done(`/nodes/setEnable/${pair.nodeId}`, { enable: false });
  expect(await pair.central.get(api())).toMatchObject({ success: false, error: { code: 'node.disabled' } });
  expect(await pair.central.get('/nodes/drift/99')).toMatchObject({ success: false, error: { code: 'node.notFound' } });
});
