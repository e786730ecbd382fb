import { beforeEach, describe, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startNodePair, type NodePair } from '../../../testing/panels/node-pair.ts';
import type { ClientRow } from '../../clients/contract.ts';
import type { Inbound } from '../../inbounds/contract.ts';
import type { Node } from '../contract.ts';
import type { NodePlan } from './contract.ts';

/* large deletions on a node, and large repeated deliveries, wait for the operator's confirmation. */

let inboundId: number;
/** A dozen clients on the node's inbound. */
const EMAILS = Array.from({ length: 12 }, (_, at) => `client-${String(at).padStart(2, '0')}`);
const MANY = EMAILS.slice(0, 6);
const pair = forEachTest(startNodePair);
beforeEach(async () => {
  const { central, nodeId } = pair;
  inboundId = await central.inbound(443, { nodeId });
  for (const email of EMAILS) await central.add({ email }, [inboundId]);
  await pair.useThere(EMAILS[0]!, 10);
  pair.calls.length = 0;
});

const namesOn = async (panel: NodePair['node']) =>
  (await panel.read<ClientRow[]>('/clients/list')).map(({ email }) => email).sort();
const tagsOn = async (panel: NodePair['node']) =>
  (await panel.read<Inbound[]>('/inbounds/list')).map(({ tag }) => tag).sort();
const shown = async () => (await pair.central.read<Node[]>('/nodes/list'))[0]!;
const plans = () => pair.central.read<NodePlan[]>(`/nodes/plans/${pair.nodeId}`);
const say = (word: 'confirm' | 'takeBack', digest: string) =>
  pair.central.post(`/nodes/plans/${pair.nodeId}/${word}`, { digest });
const deletionsSent = () => pair.calls.filter((call) => /del/i.test(call));

/** One plan waits, and the panel shows it. */
async function onlyPlan(): Promise<NodePlan> {
  const [plan, ...others] = await plans();
  expect(others).toEqual([]);
  const { kind, inbounds, clients } = plan!;
  expect((await shown()).plans).toEqual([{ kind, inboundCount: inbounds.length, clientCount: clients.length }]);
  return plan!;
}

describe('many clients deleted here', () => {
  beforeEach(async () => {
    await pair.central.done('/clients/bulkDel', { emails: MANY });
    await pair.tick();
  });

  test('stay on the node until exactly they are confirmed, while everything else is delivered', async () => {
    await pair.central.done(`/clients/update/${EMAILS[7]}`, { email: EMAILS[7], totalGB: 77 });
    await pair.central.add({ email: 'new' }, [inboundId]);
    await pair.tick();
    expect(deletionsSent()).toEqual([]);
    expect(await namesOn(pair.node)).toEqual([...EMAILS, 'new']);
    expect(await pair.node.state(EMAILS[7]!)).toMatchObject({ quotaBytes: 77 });
    expect(await shown()).toMatchObject({ configDirty: true, syncError: '' });
    const plan = await onlyPlan();
    expect(plan).toMatchObject({ kind: 'delete', inbounds: [], clients: MANY });

    // One more is deleted: the plan the operator saw is outdated.
    await pair.central.done(`/clients/del/${EMAILS[6]}`);
    await pair.tick();
    expect(await say('confirm', plan.digest)).toMatchObject({ success: false, error: { code: 'node.planChanged' } });
    expect(deletionsSent()).toEqual([]);
    const { clients, digest } = await onlyPlan();
    expect(clients).toEqual(EMAILS.slice(0, 7));
    expect(await say('confirm', digest)).toMatchObject({ success: true });
    await pair.tick();
    expect(await namesOn(pair.node)).toEqual([...EMAILS.slice(7), 'new']);
    expect(await shown()).toMatchObject({ configDirty: false, plans: [] });
    expect(await plans()).toEqual([]);
  });

  test('are deleted when the node returns if confirmed while it was unreachable, even after a restart here', async () => {
    const { digest } = await onlyPlan();
    pair.setUp(false);
    expect(await say('confirm', digest)).toMatchObject({ success: true });
    await pair.tick();
    expect(await namesOn(pair.node)).toEqual(EMAILS);
    pair.setUp(true);
    await pair.restartCentral();
    await pair.tick();
    await pair.tick();
    expect(await namesOn(pair.node)).toEqual(EMAILS.slice(6));
  });

  test('stay and come back with their usage when the operator withdraws the deletion', async () => {
    const { digest } = await onlyPlan();
    expect(await say('takeBack', digest)).toMatchObject({ success: true });
    await pair.tick();
    await pair.tick();
    expect(deletionsSent()).toEqual([]);
    expect(await namesOn(pair.central)).toEqual(EMAILS);
    expect(await namesOn(pair.node)).toEqual(EMAILS);
    expect(await pair.central.state(EMAILS[0]!)).toMatchObject({ upBytes: 10 });
    expect(await shown()).toMatchObject({ configDirty: false, plans: [] });
    await pair.useThere(EMAILS[0]!, 5);
    expect(await pair.central.state(EMAILS[0]!)).toMatchObject({ upBytes: 15 });
  });

  test('are not deleted along with whole inbounds either', async () => {
    const others = Array.from({ length: 40 }, (_, at) => `other-${at}`);
    for (const email of others) await pair.central.add({ email }, [inboundId]);
    await pair.tick();
    await pair.central.done('/clients/bulkDisable', { emails: others });
    await pair.tick();
    expect(await namesOn(pair.node)).toEqual([...EMAILS, ...others].sort());
    expect(await pair.node.state('other-1')).toMatchObject({ enable: 0 });
  });
});

test('clients deleted here and imported again with their subscriptions while the node is away stay there', async () => {
  const { central, node } = pair;
  const rows = (await central.read<ClientRow[]>('/clients/list')).filter(({ email }) => MANY.includes(email));
  pair.setUp(false);
  await pair.sync();
  await central.done('/clients/bulkDel', { emails: MANY });
  const imported = rows.map(({ email, id, subId }) => ({ client: { email, id, subId }, inboundIds: [inboundId] }));
  await central.done('/clients/bulkCreate', imported);
  pair.setUp(true);
  for (let at = 0; at < 3; at += 1) await pair.tick();
  expect(await plans()).toEqual([]);
  expect(deletionsSent()).toEqual([]);
  expect(await namesOn(node)).toEqual(EMAILS);
  await pair.useThere(MANY[0]!, 7);
  expect(await central.state(MANY[0]!)).toMatchObject({ upBytes: 7 });
});

test('few clients are deleted at once', async () => {
  await pair.central.done('/clients/bulkDel', { emails: EMAILS.slice(0, 5) });
  await pair.tick();
  expect(await namesOn(pair.node)).toEqual(EMAILS.slice(5));
  expect(await plans()).toEqual([]);
});

test('more than five inbounds deleted here wait, with their clients', async () => {
  const { central, nodeId } = pair;
  const ids = [inboundId];
  for (let port = 444; port < 449; port += 1) ids.push(await central.inbound(port, { nodeId }));
  await pair.tick();
  const before = await tagsOn(pair.node);
  await central.done('/inbounds/bulkDel', { ids });
  await pair.tick();
  await pair.tick();
  expect(deletionsSent()).toEqual([]);
  const plan = await onlyPlan();
  expect(plan).toMatchObject({ kind: 'delete', inbounds: before.map((tag) => ({ tag })), clients: EMAILS });
  expect(await say('takeBack', plan.digest)).toMatchObject({ success: true });
  await pair.tick();
  await pair.tick();
  expect((await tagsOn(central)).map((tag) => tag.replace(`n${nodeId}-`, ''))).toEqual(before);
  expect(await tagsOn(pair.node)).toEqual(before);
  expect(deletionsSent()).toEqual([]);
});

describe('many items that the node has lost', () => {
  test('clients missing from two responses are sent again once confirmed, and keep counting', async () => {
    await pair.node.done('/clients/bulkDel', { emails: MANY });
    for (let at = 0; at < 4; at += 1) await pair.tick();
    expect(pair.calls).toEqual([]);
    const plan = await onlyPlan();
    expect(plan).toMatchObject({ kind: 'resend', inbounds: [], clients: MANY });
    // Others are still served in the meantime.
    await pair.central.done(`/clients/update/${EMAILS[8]}`, { email: EMAILS[8], totalGB: 5 });
    await pair.tick();
    expect(await pair.node.state(EMAILS[8]!)).toMatchObject({ quotaBytes: 5 });
    expect(await say('takeBack', plan.digest)).toMatchObject({ success: false });
    expect(await say('confirm', plan.digest)).toMatchObject({ success: true });
    await pair.tick();
    expect(await namesOn(pair.node)).toEqual(EMAILS);
    await pair.useThere(EMAILS[0]!, 7);
    expect(await pair.central.state(EMAILS[0]!)).toMatchObject({ upBytes: 17 });
    expect(await shown()).toMatchObject({ configDirty: false, syncError: '', plans: [] });
  });

  test.each(['bulkDel', 'bulkDetach'])(
    'more than 32 that are sent again count from their first byte (%s)',
    async (verb) => {
      const { central, node } = pair;
      const emails = Array.from({ length: 40 }, (_, at) => `other-${at}`);
      for (const email of emails) await central.add({ email }, [inboundId]);
      await pair.useThere('other-0', 100);
      await node.done(`/clients/${verb}`, { emails, inboundIds: [1] });
      for (let at = 0; at < 3; at += 1) await pair.tick();
      expect(await say('confirm', (await onlyPlan()).digest)).toMatchObject({ success: true });
      await pair.useThere('other-0', 7);
      expect(await central.state('other-0')).toMatchObject({ upBytes: 107 });
      await pair.useThere('other-0', 1);
      expect(await central.state('other-0')).toMatchObject({ upBytes: 108 });
      expect(await shown()).toMatchObject({ configDirty: false, syncError: '', plans: [] });
    },
  );

  test('an inbound and its clients are not sent again before confirmation; clients on another inbound too are', async () => {
    const second = await pair.central.inbound(444, { nodeId: pair.nodeId });
    await pair.central.done(`/clients/${EMAILS[1]}/attach`, { inboundIds: [second] });
    await pair.tick();
    const [there] = await pair.node.read<Inbound[]>('/inbounds/list');
    await pair.node.done(`/inbounds/del/${there!.id}`);
    pair.calls.length = 0;
    for (let at = 0; at < 3; at += 1) await pair.tick();
    expect(pair.calls).toEqual([]);
    const plan = await onlyPlan();
    expect(plan).toMatchObject({ kind: 'resend', inbounds: [{ id: inboundId }], clients: EMAILS });
    await pair.central.done(`/clients/update/${EMAILS[1]}`, { email: EMAILS[1], totalGB: 9 });
    await pair.tick();
    expect(await pair.node.state(EMAILS[1]!)).toMatchObject({ quotaBytes: 9 });
    expect(await tagsOn(pair.node)).toEqual(['in-444-tcp']);
    expect(await shown()).toMatchObject({ syncError: '' });
    const { digest } = await onlyPlan();
    expect(await say('confirm', digest)).toMatchObject({ success: true });
    await pair.tick();
    expect(await tagsOn(pair.node)).toEqual(['in-443-tcp', 'in-444-tcp']);
    expect(await namesOn(pair.node)).toEqual(EMAILS);
    await pair.tick();
    expect(await shown()).toMatchObject({ configDirty: false, syncError: '', plans: [] });
  });

  test('no confirmation is needed any more when they are back', async () => {
    const whole = await pair.node.read<Inbound[]>('/inbounds/list');
    const without = whole.map((inbound) => ({
      ...inbound,
      clientStats: [],
      settings: { ...(inbound.settings as object), clients: [] },
    }));
    for (let at = 0; at < 2; at += 1) {
      pair.respondOnce('inbounds/list', without);
      await pair.tick();
    }
    expect(await onlyPlan()).toMatchObject({ kind: 'resend', clients: EMAILS });
    await pair.tick();
    expect(await plans()).toEqual([]);
    expect(pair.calls).toEqual([]);
  });
});
