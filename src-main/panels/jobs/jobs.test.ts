import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { afterTest, testFolder } from '../../../src-server/testing/for-each-test.ts';
import { openPanel, type TestPanel } from '../../../src-server/testing/panels/open-panel.ts';
import { openRecordedPanel } from '../../../src-server/testing/peers/recorded-panel.ts';
import type { JobMessage, VerbRequest } from '../../bridge/jobs.ts';
import type { PanelTarget } from '../messages.ts';
import { openSealedStore, type SealedStore } from '../store/sealed-store.ts';
import { createTransferJournal, type JournalClient, type JournalHead } from '../transfer/transfer-journal.ts';
import { openJobs, transfer, type TestJobs } from './testing-jobs.ts';
import { target } from '../testing-target.ts';

const GB = 1024 ** 3;
const DAY_MS = 86_400_000;

let folder: string;
let store: SealedStore;
let here: TestPanel;
let there: TestPanel;
let jobs: TestJobs;
let targets: Map<string, PanelTarget>;
const key = randomBytes(32);
/** Panels of which a backup was requested. */
let pulled: string[];

const open = (): void => {
  jobs = openJobs(store, targets, async (panelId) => void pulled.push(panelId));
};
beforeEach(async () => {
  folder = await testFolder();
  store = openSealedStore(join(folder, 'panels.db'), key);
  [here, there] = await Promise.all([openPanel({ startMs: Date.now() }), openPanel({ startMs: Date.now() })]);
  afterTest(
    () => here.close(),
    () => there.close(),
  );
  targets = new Map([
    ['here', target('here', here.app.panel.url)],
    ['there', target('there', there.app.panel.url)],
  ]);
  pulled = [];
  open();
});
afterEach(async () => {
  store.close();
});

const call: TestJobs['call'] = (verb, params) => jobs.call(verb, params);
const ended: TestJobs['ended'] = (verb, id) => jobs.ended(verb, id);
const planned: TestJobs['planned'] = (request) => jobs.planned(request);
const done: TestJobs['done'] = (planId) => jobs.done(planId);

const verb = (more: Partial<VerbRequest>): VerbRequest => ({
  verb: 'extend',
  panelIds: ['here', 'there'],
  emails: ['ali@example.org'],
  addDays: 0,
  addBytes: 0,
  version: 'latest',
  ...more,
});

it('applies an action to several panels: shows a plan, then each answer; repeats a failed one alone', async () => {
  const soonMs = Date.now() + 5 * DAY_MS;
  const inboundId = await here.inbound(4430);
  await here.add({ email: 'ali@example.org', expiryTime: soonMs, totalGB: 2 * GB }, [inboundId]);
  await there.add({ email: 'sara@example.org' }, [await there.inbound(4431)]);
  const gone = await openPanel();
  targets.set('gone', target('gone', gone.app.panel.url));
  await gone.close();
  const request = verb({ panelIds: ['here', 'there', 'gone'], addDays: 30, addBytes: GB });
  const id = call('planVerb', request);
  expect((await ended('verb', id)).result).toEqual([
    {
      panelId: 'here',
      state: 'waiting',
      count: 1,
      notes: [
        {
          code: 'expiryMoves',
          params: { email: 'ali@example.org', fromMs: soonMs, toMs: soonMs + 30 * DAY_MS },
        },
        { code: 'quotaMoves', params: { email: 'ali@example.org', fromBytes: 2 * GB, toBytes: 3 * GB } },
      ],
    },
    { panelId: 'there', state: 'nothing', count: 0, notes: [{ code: 'notHere', params: {} }] },
    {
      panelId: 'gone',
      state: 'failed',
      count: 0,
      notes: [{ code: 'down', params: { words: expect.stringContaining('ECONNREFUSED') as string } }],
    },
  ]);
  call('runVerb', id);
  expect((await ended('verb', id)).result?.[0]).toMatchObject({
    state: 'done',
    notes: [{ code: 'changed', params: { count: 1 } }],
  });
  expect(await here.state('ali@example.org')).toMatchObject({ expiresAtMs: soonMs + 30 * DAY_MS, quotaBytes: 3 * GB });

  // It is back, and has the client: the action runs only there now.
  targets.set('gone', targets.get('there')!);
  await there.add({ email: 'ali@example.org', expiryTime: soonMs }, [await there.inbound(4432)]);
  call('retryVerb', { id, panelId: 'gone' });
  expect((await ended('verb', id)).result?.[2]).toMatchObject({ panelId: 'gone', state: 'done' });
  expect(await there.state('ali@example.org')).toMatchObject({ expiresAtMs: soonMs + 30 * DAY_MS });
  expect(await here.state('ali@example.org')).toMatchObject({ expiresAtMs: soonMs + 30 * DAY_MS });

  const backups = call('planVerb', verb({ verb: 'backup', emails: [] }));
  await ended('verb', backups);
  call('runVerb', backups);
  expect((await ended('verb', backups)).result?.map(({ state }) => state)).toEqual(['done', 'done']);
  expect(pulled.toSorted()).toEqual(['here', 'there']);

  for (const [what, enable] of [
    ['disable', 0],
    ['enable', 1],
  ] as const) {
    const switching = call('planVerb', verb({ verb: what }));
    await ended('verb', switching);
    call('runVerb', switching);
    await ended('verb', switching);
    for (const panel of [here, there]) expect((await panel.state('ali@example.org'))?.enable).toBe(enable);
  }
});

interface Row {
  email: string;
  uuid: string;
  subId: string;
  expiryTime: number;
  totalGB: number;
  inboundIds: number[];
  traffic: { up: number; down: number; enable: boolean };
}
const clientsOf = async (panel: TestPanel): Promise<Row[]> => panel.read('/clients/list');
interface InboundRow {
  id: number;
  port: number;
  remark: string;
  enable: boolean;
}
const inboundsOf = async (panel: TestPanel): Promise<InboundRow[]> => panel.read('/inbounds/list/counted');

const gold = (name: string, more: object = {}) => ({ name, quotaBytes: 9 * GB, days: 30, limitIp: 2, ...more });

async function fill(): Promise<number> {
  const inboundId = await here.inbound(4430, { remark: 'Door' });
  for (const email of ['ali@example.org', 'sara@example.org', 'omid@example.org'])
    await here.add({ email, subId: `sub-${email}`, expiryTime: 2e12, totalGB: 9 * GB, group: 'family' }, [inboundId]);
  await here.done('/clients/updateTraffic/ali@example.org', { upload: 100, download: 200 });
  await here.done('/clients/ali@example.org/externalLinks', {
    externalLinks: [{ kind: 'subscription', value: 'https://else.example/sub', remark: 'Else' }],
  });
  await here.done('/hosts/add', { inboundId, remark: 'Front', address: 'front.example.org', port: 443 });
  return inboundId;
}

it('moves an inbound and clients: conflicts planned, secrets and counters kept, the old one off last', async () => {
  const inboundId = await fill();
  const taken = await there.inbound(4430, { remark: 'Theirs' });
  await there.add({ email: 'ali@example.org', subId: 'sub-sara@example.org' }, [taken]);
  const { id, result: plan } = await planned(transfer({ mode: 'move', inboundIds: [inboundId] }));
  expect(plan).toMatchObject({ inboundCount: 1, clientCount: 3, refusedCount: 0, hostCount: 1 });
  expect(plan!.inbounds[0]).toMatchObject({
    fromPort: 4430,
    port: 4431,
    notes: [{ code: 'portTaken', params: { port: 4430, other: 'Theirs', proposed: 4431 } }],
  });
  const notesOf = (email: string) => plan!.clients.find((client) => client.email === email)?.notes;
  expect(notesOf('ali@example.org')).toEqual([
    { code: 'emailTaken', params: { email: 'ali@example.org', proposed: 'ali-2@example.org' } },
  ]);
  expect(notesOf('sara@example.org')).toEqual([{ code: 'subIdTaken', params: { other: 'ali@example.org' } }]);
  expect(plan!.fetchAgain.map(({ code, params }) => [code, params['count']])).toEqual([
    ['fetchNewAddress', 3],
    ['fetchNewPort', 3],
    ['fetchNewSubId', 1],
  ]);
  // A chosen value that is taken is refused, with the reason.
  const choices = { ...plan!.choices, ports: { [inboundId]: 4430 }, emails: { 'omid@example.org': '' } };
  expect(call('chooseTransfer', { id, choices })).toMatchObject({
    inboundCount: 0,
    inbounds: [{ isRefused: true, notes: [{ code: 'portTwice' }] }],
  });
  call('chooseTransfer', { id, choices: { ...choices, ports: {} } });

  expect(await done(id)).toMatchObject({ state: 'done', trouble: null, result: { phase: 'done', clientCount: 2 } });
  const before = new Map((await clientsOf(here)).map((row) => [row.email, row]));
  const after = new Map((await clientsOf(there)).map((row) => [row.email, row]));
  expect([...after.keys()]).toEqual(['ali@example.org', 'ali-2@example.org', 'sara@example.org']);
  for (const [old, email] of [
    ['ali@example.org', 'ali-2@example.org'],
    ['sara@example.org', 'sara@example.org'],
  ] as const) {
    const { uuid, expiryTime, totalGB } = before.get(old)!;
    expect(after.get(email)).toMatchObject({ uuid, expiryTime, totalGB });
  }
  expect(after.get('ali-2@example.org')).toMatchObject({
    subId: 'sub-ali@example.org',
    traffic: { up: 100, down: 200, enable: true },
  });
  expect(after.get('sara@example.org')!.subId).toMatch(/^[0-9a-f]{16}$/);
  expect(await there.read('/clients/get/ali-2@example.org')).toMatchObject({ externalLinks: [{ remark: 'Else' }] });
  expect(await there.read('/hosts/list')).toMatchObject([{ remark: 'Front', address: 'front.example.org', port: 443 }]);
  expect(await inboundsOf(here)).toMatchObject([{ id: inboundId, enable: false }]);
  expect(call('unfinished', null)).toEqual([]);
});

it('keeps what a client has on one inbound alone, and who disabled it; undone, it leaves no client', async () => {
  const trojan = await here.inbound(4430, { protocol: 'trojan', remark: 'Trojan', settings: {} });
  const settings = { method: '2022-blake3-aes-128-gcm', password: 'AQEBAQEBAQEBAQEBAQEBAQ==' };
  const modern = await here.inbound(4431, { protocol: 'shadowsocks', remark: 'Modern', settings });
  await here.add({ email: 'ali', password: 'pw', totalGB: 5, reset: 30, expiryTime: Date.now() + DAY_MS }, [
    trojan,
    modern,
  ]);
  await here.add({ email: 'sara', enable: false, expiryTime: 1 }, [trojan, modern]);
  await here.done('/clients/updateTraffic/ali', { upload: 3, download: 3 });
  await here.tick();
  expect([await here.state('ali'), await here.state('sara')]).toMatchObject([
    { disabledBy: 'loop' },
    { disabledBy: 'admin' },
  ]);
  const entryOf = async (panel: TestPanel, id: number) =>
    (await panel.read<{ settings: { clients: { password: string }[] } }>(`/inbounds/get/${id}`)).settings.clients[0]!;
  const key = (await entryOf(here, modern)).password;

  // Without the inbound whose password it has, a client gets the key as its password.
  const alone = await planned(transfer({ inboundIds: [modern] }));
  await there.add({ email: 'sara' }, [await there.inbound(4432)]);
  expect(await done(alone.id)).toMatchObject({ state: 'failed', trouble: { code: 'clientsRefused' } });
  expect((await clientsOf(there)).map(({ email }) => email)).toEqual(['sara']);
  await there.done('/clients/del/sara');

  expect(await done((await planned(transfer({ inboundIds: [trojan, modern] }))).id)).toMatchObject({ state: 'done' });
  const copies = (await inboundsOf(there)).slice(1);
  expect(await entryOf(there, copies[0]!.id)).toMatchObject({ password: 'pw' });
  expect(await entryOf(there, copies[1]!.id)).toMatchObject({ password: key });
  expect([await there.state('ali'), await there.state('sara')]).toMatchObject([
    { enable: 0, disabledBy: 'loop' },
    { enable: 0, disabledBy: 'admin' },
  ]);
});

it('inbounds share a port over TCP and UDP, in the new panel as in the old one', async () => {
  const overUdp = { protocol: 'shadowsocks', settings: { method: 'aes-256-gcm', password: 'pw', network: 'udp' } };
  const tcp = await here.inbound(4430, { remark: 'Tcp' });
  const udp = await here.inbound(4430, { remark: 'Udp', ...overUdp });
  const beside = await here.inbound(4431, { remark: 'Beside' });
  await there.inbound(4431, { remark: 'Theirs', ...overUdp });
  const { id, result } = await planned(transfer({ inboundIds: [tcp, udp, beside] }));
  expect(result!.inbounds.map(({ port, notes }) => [port, notes])).toEqual([
    [4430, []],
    [4430, []],
    [4431, []],
  ]);
  expect(await done(id)).toMatchObject({ state: 'done' });
  expect((await inboundsOf(there)).map(({ remark, port }) => [remark, port])).toEqual([
    ['Theirs', 4431],
    ['Tcp', 4430],
    ['Udp', 4430],
    ['Beside', 4431],
  ]);
});

it('a plan is kept if the new panel has an equal one of this name; else it is left out, with a message', async () => {
  const inboundId = await here.inbound(4430, { remark: 'Door' });
  const addPlan = async (panel: TestPanel, body: object) => panel.done<{ id: number }>('/plans/add', body);
  for (const name of ['Other', 'Gold', 'Silver', 'Grouped'])
    await addPlan(there, gold(name, name === 'Silver' ? { days: 60 } : name === 'Grouped' ? { group: 'vip' } : {}));
  for (const name of ['Gold', 'Silver', 'Bronze', 'Grouped']) {
    const { id: planId } = await addPlan(here, gold(name, name === 'Grouped' ? { group: 'vip' } : {}));
    await here.add({ email: `${name}@example.org`, planId, totalGB: 5 * GB, limitIp: 7 }, [inboundId]);
  }
  await here.done('/clients/update/Grouped@example.org', {
    email: 'Grouped@example.org',
    totalGB: 5 * GB,
    limitIp: 7,
    group: '',
  });
  const { id, result: plan } = await planned(transfer({ inboundIds: [inboundId] }));
  const notes = new Map(plan!.clients.map((client) => [client.email.split('@')[0], client.notes]));
  expect(Object.fromEntries(notes)).toEqual({
    Gold: [],
    Silver: [{ code: 'planDiffers', params: { plan: 'Silver' } }],
    Bronze: [{ code: 'planLeft', params: { plan: 'Bronze' } }],
    Grouped: [{ code: 'planDiffers', params: { plan: 'Grouped' } }],
  });
  expect(await done(id)).toMatchObject({ state: 'done', trouble: null });
  const plans = new Map((await there.read<{ id: number; name: string }[]>('/plans')).map((row) => [row.id, row.name]));
  const copied =
    await there.read<{ email: string; planId: number; totalGB: number; limitIp: number }[]>('/clients/list');
  expect(copied.map(({ email, planId, totalGB, limitIp }) => [email, plans.get(planId), totalGB, limitIp])).toEqual(
    ['Gold', 'Silver', 'Bronze', 'Grouped'].map((name) => [
      `${name}@example.org`,
      name === 'Gold' ? 'Gold' : undefined,
      5 * GB,
      7,
    ]),
  );
});

it('is undone completely when it fails half-way, and after the application was killed in the middle', async () => {
  const inboundId = await fill();
  await there.inbound(4500, { remark: 'Before' });
  const untouched = JSON.stringify([await inboundsOf(there), await clientsOf(there)]);

  // Between plan and execution the e-mail is taken.
  const { id } = await planned(transfer({ mode: 'move', inboundIds: [inboundId] }));
  await there.add({ email: 'sara@example.org' }, [(await inboundsOf(there))[0]!.id]);
  expect(await done(id)).toMatchObject({ state: 'failed', trouble: { code: 'clientsRefused' } });
  expect((await clientsOf(there)).map(({ email }) => email)).toEqual(['sara@example.org']);
  await there.done('/clients/del/sara@example.org');
  expect(JSON.stringify([await inboundsOf(there), await clientsOf(there)])).toBe(untouched);
  expect(await inboundsOf(here)).toMatchObject([{ enable: true }]);

  // The journal of a run killed after the inbound and two clients were made, before either was answered.
  const made = await there.inbound(4430, { remark: 'Door' });
  const clients = await clientsOf(here);
  for (const { email, uuid, subId } of clients.slice(0, 2)) await there.add({ email, id: uuid, subId }, [made]);
  const head: JournalHead = {
    id: 'killed',
    fromId: 'here',
    toId: 'there',
    mode: 'move',
    startedAtMs: 1,
    phase: 'creating',
    beforeInboundIds: [(await inboundsOf(there))[0]!.id],
    inbounds: [{ sourceId: inboundId, port: 4430, protocol: 'vless', remark: 'Door', newId: null }],
    clientsBegun: 3,
    switchOff: { inboundIds: [], emails: [] },
  };
  const sent = clients.map(({ email, uuid, subId }): JournalClient => {
    const nothing = { password: '', auth: '', upBytes: 0, downBytes: 0 };
    return { email, sourceEmail: email, uuid, subId, ...nothing };
  });
  createTransferJournal(store).begin(head, sent);
  store.close();
  for (const name of await readdir(folder))
    expect((await readFile(join(folder, name))).includes('ali@example.org')).toBe(false);
  store = openSealedStore(join(folder, 'panels.db'), key);
  const reached = targets.get('there')!;
  targets.set('there', target('there', 'http://127.0.0.1:9/'));
  open();
  jobs.settle();
  // Unreachable now: it says so, and is retried.
  await expect.poll(() => call('unfinished', null)[0]?.trouble?.code).toBe('down');
  targets.set('there', reached);
  call('settle', 'killed');
  await expect.poll(() => call('unfinished', null)).toMatchObject([{ id: 'killed', outcome: 'undone', trouble: null }]);
  call('forget', 'killed');
  expect(call('unfinished', null)).toEqual([]);
  expect(JSON.stringify([await inboundsOf(there), await clientsOf(there)])).toBe(untouched);
});

it('completes a move that was killed while the old ones were switched off, and counts nothing twice', async () => {
  const inboundId = await fill();
  const { id } = await planned(transfer({ inboundIds: [inboundId] }));
  expect(await done(id)).toMatchObject({ state: 'done' });
  const [moved] = await inboundsOf(there);
  const head: JournalHead = {
    id: 'killed',
    fromId: 'here',
    toId: 'there',
    mode: 'move',
    startedAtMs: 1,
    phase: 'switching',
    beforeInboundIds: [],
    inbounds: [{ sourceId: inboundId, port: 4430, protocol: 'vless', remark: 'Door', newId: moved!.id }],
    clientsBegun: 3,
    switchOff: { inboundIds: [inboundId], emails: [] },
  };
  const email = 'ali@example.org';
  const ali = (await clientsOf(there)).find((row) => row.email === email)!;
  createTransferJournal(store).begin(head, [
    { email, sourceEmail: email, uuid: ali.uuid, password: '', auth: '', subId: '', upBytes: 100, downBytes: 200 },
  ]);
  // The old one served on after its counters had been read.
  await here.done('/clients/updateTraffic/ali@example.org', { upload: 150, download: 260 });
  jobs.settle();
  await expect.poll(() => call('unfinished', null)).toMatchObject([{ id: 'killed', outcome: 'finished' }]);
  expect((await inboundsOf(here))[0]!.enable).toBe(false);
  expect((await clientsOf(there)).find((row) => row.email === email)!.traffic).toMatchObject({ up: 150, down: 260 });
});

it('copies from another panel of the interface, and reports what an old one cannot do', async () => {
  const [other, older] = await Promise.all([
    openRecordedPanel({ token: 'theirs' }),
    openRecordedPanel({ token: 'theirs', withClients: false }),
  ]);
  afterTest(other.close);
  afterTest(older.close);
  targets.set('other', target('other', other.url, 'theirs'));
  targets.set('older', target('older', older.url, 'theirs'));
  const ids = other.inbounds.map(({ id }) => id);
  const { id, result: plan } = await planned(transfer({ fromId: 'other', toId: 'there', inboundIds: ids }));
  const refused = plan!.inbounds.filter(({ isRefused }) => isRefused);
  for (const { notes } of refused) expect(notes[0]?.code).toMatch(/protocolUnknown|certificateFilesMissing|portTwice/);
  expect(plan!.clientCount).toBeGreaterThan(100);
  expect(await done(id)).toMatchObject({ state: 'done', trouble: null });
  const theirs = new Map(other.clients.map((row) => [row.email, row]));
  const copied = await clientsOf(there);
  expect(copied).toHaveLength(plan!.clientCount);
  for (const { email, uuid, subId } of copied) expect(theirs.get(email)).toMatchObject({ uuid, subId });

  const inboundId = await fill();
  const onto = await planned(transfer({ toId: 'older', inboundIds: [inboundId] }));
  expect(onto.result).toMatchObject({ clientCount: 0, clients: [{ notes: [{ code: 'oldTarget' }] }, {}, {}] });
});

it('compares two panels, copies single lines, and neither shows nor copies secrets', async () => {
  await here.set({ pageSize: 99, smtpHost: 'mail.example.org' });
  await here.inbound(4430, { remark: 'Door', listen: '127.0.0.1' });
  await there.inbound(4440, { remark: 'Door' });
  const id = call('compare', { leftId: 'here', rightId: 'there' });
  const { result } = await ended('comparison', id);
  const lineOf = (path: string) => result!.lines.find((line) => line.path === path);
  expect(lineOf('pageSize')).toMatchObject({ part: 'settings', left: '99', isSecret: false, isBound: false });
  expect(lineOf('port')).toMatchObject({ part: 'inbounds', group: 'Door', left: '4430', right: '4440', isBound: true });
  expect(lineOf('startOptions')).toBeUndefined();
  expect(result!.sameCount).toBeGreaterThan(50);
  const take = async (path: string, isConfirmed = false) =>
    jobs.handle({
      verb: 'takeLine',
      params: { id, lineId: lineOf(path)!.id, from: 'left', isConfirmed },
    }) as Promise<JobMessage | null>;
  expect(await take('pageSize')).toBe(null);
  expect(await there.done('/setting/all')).toMatchObject({ pageSize: 99, smtpHost: '' });
  expect(await take('port')).toEqual({ code: 'lineBound', params: {} });
  expect(await take('port', true)).toBe(null);
  expect((await inboundsOf(there))[0]).toMatchObject({ port: 4430 });
});
