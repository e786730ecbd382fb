import { expect, test } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { capturedState } from '../../testing/journal/captured-state.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';
import type { BinItem, BinKind, JournalEntry } from './contract.ts';

const panel = forEachTest(openPanel);
const bin = async (): Promise<BinItem[]> => (await panel.read<{ items: BinItem[] }>('/journal/bin')).items;
const idOf = async (kind: BinKind): Promise<number> => (await bin()).find((item) => item.kind === kind)!.id;
const restore = async (kind: BinKind) => panel.done('/journal/bin/restore', { kind, ids: [await idOf(kind)] });
const state = () => capturedState(panel.store.reader);
const host = (inboundId: number, address: string) => ({ inboundId, remark: address, address, port: 0 });

test('what was deleted together with its inbound waits for that inbound', async () => {
  const id = await panel.inbound(4001, { remark: 'Oslo' });
  await panel.done('/hosts/add', host(id, 'one.example'));
  const before = await state();
  await panel.done(`/inbounds/del/${id}`);
  expect(await restore('host')).toMatchObject({
    restored: 0,
    skipped: [{ name: 'one.example', code: 'journal.deletedTogether', params: { name: 'one.example' } }],
  });
  expect(await restore('inbound')).toEqual({ restored: 1, skipped: [] });
  expect(await state()).toEqual(before);

  const clients = [{ email: 'ida', subId: 'sub-ida' }];
  await panel.inbound(4002, { settings: { decryption: 'none', encryption: 'none', clients } });
  const added = await state();
  const [entry] = (await panel.read<{ entries: JournalEntry[] }>('/journal/list')).entries;
  await panel.done(`/journal/undo/${entry!.id}`);
  expect(await restore('client')).toMatchObject({ restored: 0, skipped: [{ code: 'journal.deletedTogether' }] });
  expect(await restore('inbound')).toEqual({ restored: 1, skipped: [] });
  expect(await state()).toEqual(added);
});

test('a host comes back without undoing what else was changed together with its deletion', async () => {
  const [a, b] = [await panel.inbound(4001), await panel.inbound(4002)];
  const [{ groupId } = { groupId: '' }] = await panel.done<{ groupId: string }[]>('/hosts/bulk/add', {
    inboundIds: [a, b],
    hosts: ['one.example'],
    remark: 'one',
  });
  const { hosts: before } = await state();
  await panel.done(`/hosts/group/update/${groupId}`, {
    inboundIds: [a],
    hosts: ['one.example', 'two.example'],
    remark: 'two',
  });
  const { hosts: updated } = await state();
  expect(await restore('host')).toEqual({ restored: 1, skipped: [] });
  const { hosts: after } = await state();
  expect(after).toHaveLength(3);
  expect(after).toEqual(expect.arrayContaining([...updated!, before![1]]));
});

test('what belonged to an inbound leaves the bin when that is erased for good', async () => {
  const id = await panel.inbound(4001);
  await panel.done('/hosts/add', host(id, 'one.example'));
  await panel.done(`/inbounds/del/${id}`);
  await panel.done('/journal/bin/erase', { kind: 'inbound', ids: [await idOf('inbound')] });
  expect(await bin()).toEqual([]);
});
