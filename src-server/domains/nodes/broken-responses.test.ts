import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { startNodePair } from '../../testing/panels/node-pair.ts';
import type { ClientRow } from '../clients/contract.ts';
import type { Inbound } from '../inbounds/contract.ts';

/* Incomplete or outdated responses: no single one of them may remove anything. */

let ids: number[];
const pair = forEachTest(startNodePair);
beforeEach(async () => {
  const { central, nodeId } = pair;
  ids = [await central.inbound(443, { nodeId }), await central.inbound(444, { nodeId })];
  await central.add({ email: 'alice' }, [ids[0]!]);
  await central.add({ email: 'bob' }, [ids[1]!]);
  await pair.useThere('alice', 10);
  await pair.tick();
  pair.calls.length = 0;
});

const there = () => pair.node.read<Inbound[]>('/inbounds/list');
const nodeRow = () => pair.central.store.reader.selectFrom('nodes').selectAll().executeTakeFirstOrThrow();
const respond = (list: readonly object[]) => pair.respondOnce('inbounds/list', list);
const clientsThere = async () => (await pair.node.read<ClientRow[]>('/clients/list')).map(({ email }) => email).sort();

test('an answer that leaves an inbound out sends nothing and is forgotten with the next one', async () => {
  respond((await there()).slice(0, 1));
  await pair.tick();
  await pair.tick();
  expect(pair.calls).toEqual([]);
  expect(await nodeRow()).toMatchObject({ configDirty: 0, syncError: '' });
  // A change made in the meantime waits for a complete response and is then sent.
  respond((await there()).slice(0, 1));
  await pair.central.done('/clients/update/bob', { email: 'bob', totalGB: 5 });
  await pair.central.nodes.idle();
  expect(pair.calls).toEqual([]);
  await pair.tick();
  expect(await nodeRow()).toMatchObject({ configDirty: 0, syncError: '' });
  expect(await pair.node.state('bob')).toMatchObject({ quotaBytes: 5 });
});

test('an inbound that two answers leave out is sent again, and recognised when it was there all along', async () => {
  for (let at = 0; at < 2; at += 1) {
    respond((await there()).slice(0, 1));
    await pair.tick();
  }
  expect(pair.calls).toContain('POST inbounds/add');
  expect((await nodeRow()).syncError).not.toBe('');
  await pair.tick();
  await pair.tick();
  expect(await nodeRow()).toMatchObject({ configDirty: 0, syncError: '' });
  expect((await there()).map(({ tag }) => tag)).toEqual(['in-443-tcp', 'in-444-tcp']);
  await pair.useThere('bob', 7);
  expect(await pair.central.state('bob')).toMatchObject({ upBytes: 7 });
});

test('one answer without clients takes none away; two of them send the clients again', async () => {
  const empty = async () =>
    (await there()).map((inbound) => ({
      ...inbound,
      clientStats: [],
      settings: { ...(inbound.settings as object), clients: [] },
    }));
  respond(await empty());
  await pair.tick();
  await pair.tick();
  expect(pair.calls).toEqual([]);
  respond([]);
  await pair.tick();
  expect(pair.calls).toEqual([]);
  for (const email of ['alice', 'bob']) await pair.node.done(`/clients/del/${email}`);
  await pair.tick();
  expect(pair.calls).toEqual([]);
  await pair.tick();
  expect(await clientsThere()).toEqual(['alice', 'bob']);
  await pair.useThere('alice', 5);
  expect(await pair.central.state('alice')).toMatchObject({ upBytes: 15 });
});

test.each([
  ['its inbound is deleted there', false],
  ['its inbound is deleted there', true],
  ['it is detached there', false],
  ['it is detached there', true],
])('a client that is sent again counts from its first byte when %s (a response is lost: %s)', async (how, isLost) => {
  const { central, node } = pair;
  if (isLost) pair.loseResponse('clients/alice/attach');
  const [first] = await there();
  // Not read before it is gone.
  node.core.move('users', 'alice', 5, 0);
  await node.tick();
  if (how === 'it is detached there') await node.done('/clients/alice/detach', { inboundIds: [first!.id] });
  else await node.done(`/inbounds/del/${first!.id}`);
  const unread = how === 'it is detached there' ? 5 : 0;
  const isBack = async () => (await there()).some(({ port, clientStats }) => port === 443 && clientStats.length > 0);
  for (let at = 0; at < 4 && !(await isBack()); at += 1) await pair.tick();
  await pair.useThere('alice', 7);
  await pair.useThere('alice', 1);
  expect(await central.state('alice')).toMatchObject({ upBytes: 18 + unread });
  expect(await nodeRow()).toMatchObject({ configDirty: 0, syncError: '' });
});

test('counters agree to the byte after a series of broken responses during a transfer', async () => {
  for (let at = 0; at < 6; at += 1) {
    const cut = (await there()).map((inbound) =>
      at % 2 === 0
        ? inbound
        : { ...inbound, clientStats: [], settings: { ...(inbound.settings as object), clients: [] } },
    );
    respond(at === 4 ? [] : cut);
    await pair.useThere('alice', 1_000 + at);
    await pair.useThere('bob', 10, at);
  }
  await pair.tick();
  await pair.tick();
  for (const email of ['alice', 'bob']) {
    const { upBytes, downBytes } = (await pair.node.state(email))!;
    expect(await pair.central.state(email)).toMatchObject({ upBytes, downBytes });
  }
});

test.each([true, false])(
  'an answer that is given once more counts nothing (it says which one it is: %s)',
  async (isOrdered) => {
    const old = pair.keepResponse();
    await pair.useThere('alice', 1);
    await pair.useThere('alice', 90);
    old.giveAgain(isOrdered);
    await pair.tick();
    await pair.useThere('alice', 5);
    await pair.tick();
    expect(await pair.node.state('alice')).toMatchObject({ upBytes: 106 });
    expect(await pair.central.state('alice')).toMatchObject({ upBytes: 106 });
  },
);

test('answers from before a start of this panel that are given after it count nothing', async () => {
  const first = pair.keepResponse();
  await pair.useThere('alice', 1);
  const second = pair.keepResponse();
  await pair.useThere('alice', 4);
  await pair.useThere('alice', 90);
  await pair.restartCentral();
  for (const old of [first, second]) {
    old.giveAgain(true);
    await pair.tick();
    expect(await pair.central.state('alice')).toMatchObject({ upBytes: 105 });
  }
  await pair.useThere('alice', 5);
  await pair.tick();
  expect(await pair.node.state('alice')).toMatchObject({ upBytes: 110 });
  expect(await pair.central.state('alice')).toMatchObject({ upBytes: 110 });
});

test.each([1, 40])(
  'the first byte of clients counts even if the response to their delivery was lost (%i)',
  async (count) => {
    const { central, node } = pair;
    const emails = Array.from({ length: count }, (_, at) => `new-${at}`);
    pair.loseResponse(count === 1 ? 'clients/add' : 'inbounds/update/1');
    await central.done(
      '/clients/bulkCreate',
      emails.map((email) => ({ client: { email }, inboundIds: [ids[0]] })),
    );
    await central.nodes.idle();
    expect(await clientsThere()).toContain('new-0');
    node.core.move('users', 'new-0', 300, 40);
    await node.tick();
    await pair.tick();
    await pair.tick();
    expect(await nodeRow()).toMatchObject({ configDirty: 0, syncError: '' });
    await pair.useThere('new-0', 1);
    expect(await node.state('new-0')).toMatchObject({ upBytes: 301, downBytes: 40 });
    expect(await central.state('new-0')).toMatchObject({ upBytes: 301, downBytes: 40 });
  },
);

test('counters of an inbound that are no numbers of bytes are ignored, and nothing counts twice', async () => {
  const { central, node } = pair;
  node.core.move('inbounds', 'in-443-tcp', 500, 0);
  await pair.tick();
  respond((await there()).map((inbound) => ({ ...inbound, up: null })));
  await pair.tick();
  expect((await central.read<Inbound[]>('/inbounds/list'))[0]).toMatchObject({ up: 500 });
  node.core.move('inbounds', 'in-443-tcp', 5, 0);
  await pair.tick();
  const history = await central.read<{ sources: { up: number[] }[] }>(
    `/traffic/history?subject=inbound&name=${ids[0]}&period=day`,
  );
  expect(history.sources.flatMap(({ up }) => up).reduce((sum, one) => sum + one, 0)).toBe(505);
});

test.each([undefined, null, -1, 0.5, '7', 2 ** 60])(
  'a counter that is not a valid number of bytes (%j) is ignored',
  async (up) => {
    for (let at = 0; at < 3; at += 1) {
      respond(
        (await there()).map((inbound) => ({
          ...inbound,
          clientStats: inbound.clientStats.map((each) => ({ ...each, up })),
        })),
      );
      await pair.useThere('alice', 50);
    }
    await pair.useThere('alice', 5);
    await pair.tick();
    expect(await pair.node.state('alice')).toMatchObject({ upBytes: 165 });
    expect(await pair.central.state('alice')).toMatchObject({ upBytes: 165 });
  },
);
