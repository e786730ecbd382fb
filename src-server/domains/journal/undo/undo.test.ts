import { expect, test } from 'vitest';
import type { JsonObject } from '../../../contract/json.ts';
import { defaultTemplate } from '../../../core/config/template/default-template.ts';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { capturedState, unbalanced } from '../../../testing/journal/captured-state.ts';
import { openPanel } from '../../../testing/panels/open-panel.ts';
import type { JournalEntry, UndoPreview } from '../contract.ts';

const panel = forEachTest(openPanel);
const newest = async (): Promise<number> =>
  (await panel.read<{ entries: JournalEntry[] }>('/journal/list?limit=1')).entries[0]!.id;
const undo = (id: number) => panel.done(`/journal/undo/${id}`);
const state = () => capturedState(panel.store.reader);
const saveTemplate = (change: JsonObject) =>
  panel.done('/core/update', new URLSearchParams({ xraySetting: JSON.stringify({ ...defaultTemplate(), ...change }) }));
const rules = async (): Promise<JsonObject[]> => {
  const { xraySetting } = await panel.done<{ xraySetting: string }>('/core/');
  return (JSON.parse(xraySetting) as { routing: { rules: JsonObject[] } }).routing.rules;
};
/** The preview says it, the undo refuses it, and nothing has changed. */
async function expectRefused(id: number, refusal: { code: string; params?: object }): Promise<void> {
  const before = await state();
  const { refusals } = await panel.read<UndoPreview>(`/journal/undo/${id}`);
  expect(refusals[0]).toMatchObject(refusal);
  expect((await panel.post(`/journal/undo/${id}`)).error).toMatchObject(refusal);
  expect(await state()).toEqual(before);
}

test('an inbound does not come back under a tag that the template uses by now', async () => {
  const id = await panel.inbound(4001, { tag: 'mine' });
  await panel.done(`/inbounds/del/${id}`);
  const deleted = await newest();
  const other = await panel.inbound(4002, { tag: 'former' });
  await panel.done(`/inbounds/update/${other}`, {
    port: 4002,
    tag: 'latter',
    protocol: 'vless',
    settings: { decryption: 'none', encryption: 'none' },
    streamSettings: { network: 'tcp', security: 'none' },
  });
  const renamed = await newest();
  await saveTemplate({ inbounds: ['mine', 'former'].map((tag, n) => ({ tag, port: 4500 + n, protocol: 'socks' })) });
  await expectRefused(deleted, { code: 'inbound.tagOfTemplate', params: { tag: 'mine' } });
  await expectRefused(renamed, { code: 'inbound.tagOfTemplate', params: { tag: 'former' } });
});

test('rules of the template follow an inbound whose new tag or creation is undone', async () => {
  const id = await panel.inbound(4001, { tag: 'former' });
  const added = await newest();
  await panel.done(`/inbounds/update/${id}`, {
    port: 4001,
    tag: 'latter',
    protocol: 'vless',
    settings: { decryption: 'none', encryption: 'none' },
    streamSettings: { network: 'tcp', security: 'none' },
  });
  const renamed = await newest();
  const rule = { type: 'field', inboundTag: ['latter'], outboundTag: 'blocked' };
  await saveTemplate({ routing: { rules: [rule] } });
  await panel.set({ ldapInboundTags: 'latter' });
  await undo(renamed);
  expect(await rules()).toEqual([{ ...rule, inboundTag: ['former'] }]);
  expect(await panel.done('/setting/all')).toMatchObject({ ldapInboundTags: 'former' });
  const undone = await newest();
  await undo(undone);
  expect(await rules()).toEqual([rule]);
  await undo(await newest());
  await undo(added);
  expect(await rules()).toEqual([]);
});

test('a rule that named the new tag before stays when the tag is undone', async () => {
  const id = await panel.inbound(4001, { tag: 'former' });
  const rule = { type: 'field', inboundTag: ['latter'], outboundTag: 'blocked' };
  await saveTemplate({ routing: { rules: [rule] } });
  await panel.done(`/inbounds/update/${id}`, { ...vless(4001), tag: 'latter' });
  await undo(await newest());
  expect(await rules()).toEqual([rule]);
});

test('an inbound that a fallback names is neither uncreated nor missing when the fallback comes back', async () => {
  const master = await panel.inbound(4001);
  const child = await panel.inbound(4002, { remark: 'Oslo' });
  const added = await newest();
  await panel.done(`/inbounds/${master}/fallbacks`, { fallbacks: [{ childId: child, path: '/x' }] });
  const named = await newest();
  await expectRefused(added, { code: 'journal.dependent', params: { name: 'Oslo', id: named } });
  await panel.done(`/inbounds/${master}/fallbacks`, { fallbacks: [{ childId: 0, dest: '8080' }] });
  const replaced = await newest();
  await panel.done(`/inbounds/del/${child}`);
  await expectRefused(replaced, { code: 'journal.parentGone', params: { id: await newest() } });
});

const uuid = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;
const vless = (port: number) => ({
  port,
  protocol: 'vless',
  settings: { decryption: 'none', encryption: 'none' },
  streamSettings: { network: 'tcp', security: 'none' },
});
const trojan = (port: number) => ({ ...vless(port), protocol: 'trojan', settings: {} });
const http = (port: number) => ({ port, protocol: 'http', settings: {}, streamSettings: null });
const shadowsocks = (port: number, bits: 128 | 256) => ({
  ...vless(port),
  protocol: 'shadowsocks',
  settings: {
    method: `2022-blake3-aes-${bits}-gcm`,
    password: Buffer.alloc(bits / 8, 1).toString('base64'),
    network: 'tcp',
  },
});
const taken = (email: string, other: string) => ({ code: 'client.credentialTaken', params: { email, other } });

test('a client does not come back with a credential that another client of its inbound uses by now', async () => {
  const id = await panel.inbound(4001);
  const entries: number[] = [];
  const change = async (path: string, body?: object): Promise<void> => {
    await panel.done(path, body);
    entries.push(await newest());
  };
  for (const n of [1, 2, 3]) await panel.add({ email: `c${n}`, subId: `sub-${n}`, id: uuid(n) }, [id]);
  await change('/clients/del/c1');
  await change('/clients/update/c2', { email: 'c2', subId: 'sub-2', id: uuid(7) });
  await change('/clients/c3/detach', { inboundIds: [id] });
  for (const n of [1, 2, 3]) await panel.add({ email: `d${n}`, id: uuid(n) }, [id]);
  for (const [at, entry] of entries.entries()) await expectRefused(entry, taken(`c${at + 1}`, `d${at + 1}`));
  await panel.done('/clients/bulkDetach', { emails: ['d1', 'd2', 'd3'], inboundIds: [id] });
  for (const entry of entries.toReversed()) await undo(entry);
});

test('attachments of a deleted inbound do not come back to clients that would share a credential there', async () => {
  const id = await panel.inbound(4001, trojan(4001));
  for (const n of [1, 2]) await panel.add({ email: `c${n}`, subId: `sub-${n}`, password: `secret-${n}` }, [id]);
  await panel.done(`/inbounds/del/${id}`);
  const deleted = await newest();
  await panel.done('/clients/update/c2', { email: 'c2', subId: 'sub-2', password: 'secret-1' });
  await expectRefused(deleted, { code: 'client.credentialTaken' });
});

test('a replaced client comes back with the credential that its successor had', async () => {
  const clients = (email: string) => ({ settings: { ...vless(0).settings, clients: [{ email, id: uuid(1) }] } });
  const id = await panel.inbound(4001, clients('old'));
  const before = await state();
  await panel.done(`/inbounds/update/${id}`, { ...vless(4001), ...clients('new') });
  await undo(await newest());
  expect(await state()).toEqual(before);
});

test('after an undo every client has a credential for its inbounds', async () => {
  const credential = async (email: string) =>
    panel.store.reader
      .selectFrom('clients')
      .select(['uuid', 'password'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
  const id = await panel.inbound(4001);
  await panel.add({ email: 'anna', subId: 'sub-anna', id: uuid(1) }, [id]);
  await panel.done('/clients/anna/detach', { inboundIds: [id] });
  const detached = await newest();
  await panel.done(`/inbounds/update/${id}`, trojan(4001));
  const changed = await newest();
  await undo(detached);
  expect((await credential('anna')).password).not.toBe('');
  await undo(await newest());
  await panel.add({ email: 'bert' }, [id]);
  await undo(changed);
  expect((await credential('bert')).uuid).not.toBe('');

  const other = await panel.inbound(4002, shadowsocks(4002, 128));
  await panel.done(`/inbounds/update/${other}`, shadowsocks(4002, 256));
  const cipher = await newest();
  await panel.add({ email: 'cleo' }, [other]);
  await undo(cipher);
  expect(Buffer.from((await credential('cleo')).password, 'base64')).toHaveLength(16);
});

test('an undo does not take away what an attachment made since needs', async () => {
  const id = await panel.inbound(4001, http(4001));
  await panel.done(`/inbounds/update/${id}`, vless(4001));
  const served = await newest();
  await panel.add({ email: 'anna', subId: 'sub-anna' }, [id]);
  await expectRefused(served, { code: 'journal.dependent', params: { id: await newest() } });

  const [a, b] = [await panel.inbound(4002, trojan(4002)), await panel.inbound(4003, trojan(4003))];
  await panel.done('/clients/anna/attach', { inboundIds: [a] });
  const attached = await newest();
  await panel.done('/clients/anna/attach', { inboundIds: [b] });
  await expectRefused(attached, { code: 'journal.dependent', params: { name: 'anna', id: await newest() } });

  await panel.done('/clients/anna/detach', { inboundIds: [id] });
  const detached = await newest();
  await panel.done(`/inbounds/update/${id}`, http(4001));
  await expectRefused(detached, { code: 'client.protocolWithoutClients', params: { protocol: 'http' } });
});

test('an undo, its undo and so on leave every entry of them undone or not, as it is in fact', async () => {
  await panel.set({ pageSize: 33 });
  const changed = await newest();
  const marks = async (): Promise<number[]> =>
    (await panel.read<{ entries: JournalEntry[] }>('/journal/list')).entries
      .filter(({ id }) => id >= changed)
      .map(({ undoneBy }) => (undoneBy === 0 ? 0 : undoneBy - changed))
      .toReversed();
  const seen: number[][] = [];
  for (let n = 0; n < 4; n++) {
    await undo(await newest());
    seen.push(await marks());
  }
  expect(seen).toEqual([
    [1, 0],
    [0, 2, 0],
    [1, 0, 3, 0],
    [0, 2, 0, 4, 0],
  ]);
  // The change is in force, and undone once more by itself.
  await undo(changed);
  expect(await panel.done('/setting/all')).not.toMatchObject({ pageSize: 33 });
});

test('what was counted between two deletions is not lost: the later one is undone', async () => {
  const id = await panel.inbound(4001);
  await panel.add({ email: 'anna', subId: 'sub-anna', group: 'vip' }, [id]);
  panel.core.start();
  await panel.done('/clients/del/anna');
  const deleted = await newest();
  await undo(deleted);
  panel.core.move('users', 'anna', 100, 200);
  await panel.tick();
  await undo(await newest());
  const again = await newest();
  await expectRefused(deleted, { code: 'journal.laterEntry', params: { name: 'anna', id: again } });
  await undo(again);
  expect(await panel.state('anna')).toMatchObject({ upBytes: 100, downBytes: 200 });
  expect(await unbalanced(panel.store.reader)).toEqual([]);
});

test('an undo counts first what a former client has moved, and is one entry itself', async () => {
  const id = await panel.inbound(4001);
  await panel.add({ email: 'anna', subId: 'sub-anna' }, [id]);
  panel.core.start();
  panel.core.move('users', 'anna', 100, 200);
  await panel.tick();
  await panel.done('/clients/del/anna');
  const deleted = await newest();
  panel.core.move('users', 'anna', 1, 2);
  expect(await undo(deleted)).toMatchObject({ entryId: deleted + 1 });
  expect(await newest()).toBe(deleted + 1);
  expect(await panel.state('anna')).toMatchObject({ upBytes: 100, downBytes: 200 });
});
