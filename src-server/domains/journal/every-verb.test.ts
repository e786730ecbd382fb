import { beforeAll, expect, test } from 'vitest';
import { forAllTests } from '../../testing/for-each-test.ts';
import { capturedState, unbalanced } from '../../testing/journal/captured-state.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';
import type { JournalEntry } from './contract.ts';

let ids: { a: number; b: number; host: number; other: number; group: string; plan: number };

const bytes = 1_000;
const uuid = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;
const vless = (port: number, more: object = {}) => ({
  port,
  protocol: 'vless',
  remark: `on ${port}`,
  settings: { decryption: 'none', encryption: 'none' },
  streamSettings: { network: 'tcp', security: 'none' },
  ...more,
});
const hostAt = (inboundId: number, address: string, more: object = {}) => ({
  inboundId,
  remark: `via ${address}`,
  address,
  port: 0,
  ...more,
});

const panel = forAllTests(openPanel);
beforeAll(async () => {
  const a = (await panel.done<{ id: number }>('/inbounds/add', vless(4001))).id;
  const b = (await panel.done<{ id: number }>('/inbounds/add', vless(4002))).id;
  for (const [n, email] of ['anna', 'bert', 'cleo', 'dora'].entries())
    await panel.add({ email, id: uuid(n), subId: `sub-${email}`, totalGB: 5_000, ...(n < 2 ? { group: 'vip' } : {}) }, [
      a,
      ...(n === 0 ? [b] : []),
    ]);
  for (const email of ['anna', 'bert', 'cleo', 'dora'])
    await panel.done(`/clients/updateTraffic/${email}`, { upload: bytes, download: 2 * bytes });
  // Disabled because its quota is used up.
  await panel.done('/clients/updateTraffic/cleo', { upload: 9_000, download: 0 });
  await panel.tick();
  await panel.done('/clients/dora/detach', { inboundIds: [a] });
  const host = (await panel.done<{ id: number }>('/hosts/add', hostAt(a, 'one.example'))).id;
  const [many] = await panel.done<{ id: number; groupId: string }[]>('/hosts/bulk/add', {
    inboundIds: [a, b],
    hosts: ['two.example'],
    remark: 'two',
  });
  await panel.done('/clients/anna/externalLinks', {
    externalLinks: [{ kind: 'subscription', value: 'https://else.example/sub', remark: 'else' }],
  });
  await panel.done('/clients/mailChoice/bert', { isStopped: true }).catch(() => undefined);
  panel.write('UPDATE inbounds SET upBytes = 70, downBytes = 80');
  const plan = (
    await panel.done<{ id: number }>('/plans/add', { name: 'Silver', quotaBytes: 70_000, inboundIds: [a, b] })
  ).id;
  await panel.done(`/plans/apply/${plan}`, { emails: ['cleo', 'dora'], parts: [] });
  ids = { a, b, host, other: many!.id, group: many!.groupId, plan };
});

const emails = ['anna', 'bert', 'cleo'];
const template = async (): Promise<string> => {
  const { xraySetting } = JSON.parse(JSON.stringify(await panel.done('/core/'))) as { xraySetting: unknown };
  const config = (typeof xraySetting === 'string' ? JSON.parse(xraySetting) : xraySetting) as Record<string, object>;
  return JSON.stringify({ ...config, log: { ...config['log'], loglevel: 'error' } });
};

type Call = readonly [path: string, body?: object];
/** Every operation, by the path of its contract, with a call that changes something. */
const VERBS: Readonly<Record<string, () => Call | Promise<Call>>> = {
  '/clients/add': () => ['/clients/add', { client: { email: 'eve', group: 'new', totalGB: 7 }, inboundIds: [ids.a] }],
  '/clients/update/:email': () => [
    '/clients/update/anna',
    {
      email: 'anna2',
      id: uuid(7),
      subId: 'sub-new',
      totalGB: 77,
      expiryTime: 1_900_000_000_000,
      comment: 'x',
      group: '',
    },
  ],
  '/clients/del/:email': () => ['/clients/del/anna'],
  '/clients/del/:email keeping': () => ['/clients/del/bert?keepTraffic=1'],
  '/clients/:email/attach': () => ['/clients/bert/attach', { inboundIds: [ids.b] }],
  '/clients/:email/detach': () => ['/clients/anna/detach', { inboundIds: [ids.a, ids.b] }],
  '/clients/:email/externalLinks': () => [
    '/clients/anna/externalLinks',
    { externalLinks: [{ kind: 'subscription', value: 'https://third.example/sub', remark: '' }] },
  ],
  '/clients/resetTraffic/:email': () => ['/clients/resetTraffic/cleo'],
  '/clients/resetAllTraffics': () => ['/clients/resetAllTraffics'],
  '/clients/updateTraffic/:email': () => ['/clients/updateTraffic/anna', { upload: 5, download: 6 }],
  '/clients/bulkAdjust': () => ['/clients/bulkAdjust', { emails, addBytes: 90_000 }],
  '/clients/bulkEnable': () => ['/clients/bulkEnable', { emails }],
  '/clients/bulkDisable': () => ['/clients/bulkDisable', { emails }],
  '/clients/bulkDel': () => ['/clients/bulkDel', { emails }],
  '/clients/bulkCreate': () => [
    '/clients/bulkCreate',
    ['fay', 'gus'].map((email) => ({ client: { email }, inboundIds: [ids.a, ids.b] })),
  ],
  '/clients/bulkAttach': () => ['/clients/bulkAttach', { emails, inboundIds: [ids.b] }],
  '/clients/bulkDetach': () => ['/clients/bulkDetach', { emails, inboundIds: [ids.a] }],
  '/clients/bulkResetTraffic': () => ['/clients/bulkResetTraffic', { emails }],
  '/clients/delDepleted': () => ['/clients/delDepleted'],
  '/clients/delOrphans': () => ['/clients/delOrphans'],
  '/clients/import': () => [
    '/clients/import',
    { data: JSON.stringify([{ client: { email: 'hal', subId: 's-hal' }, inboundIds: [ids.a] }]) },
  ],
  '/inbounds/add': () => [
    '/inbounds/add',
    vless(4003, { settings: { decryption: 'none', encryption: 'none', clients: [{ email: 'ida', subId: 's-ida' }] } }),
  ],
  '/inbounds/update/:id': () => [
    `/inbounds/update/${ids.a}`,
    vless(4009, {
      remark: 'moved',
      total: 5,
      streamSettings: { network: 'ws', security: 'none', wsSettings: { path: '/x' } },
    }),
  ],
  '/inbounds/setEnable/:id': () => [`/inbounds/setEnable/${ids.a}`, { enable: false }],
  '/inbounds/del/:id': () => [`/inbounds/del/${ids.a}`],
  '/inbounds/bulkDel': () => ['/inbounds/bulkDel', { ids: [ids.a, ids.b] }],
  '/inbounds/:id/resetTraffic': () => [`/inbounds/${ids.a}/resetTraffic`],
  '/inbounds/resetAllTraffics': () => ['/inbounds/resetAllTraffics'],
  '/inbounds/:id/delAllClients': () => [`/inbounds/${ids.a}/delAllClients`],
  '/inbounds/import': () => ['/inbounds/import', { data: JSON.stringify(vless(4004)) }],
  '/inbounds/:id/fallbacks': () => [
    `/inbounds/${ids.a}/fallbacks`,
    { fallbacks: [{ childId: 0, dest: '8080', path: '/f' }] },
  ],
  '/hosts/add': () => ['/hosts/add', hostAt(ids.a, 'three.example')],
  '/hosts/update/:id': () => [`/hosts/update/${ids.host}`, hostAt(ids.a, 'four.example', { remark: 'four', port: 44 })],
  '/hosts/del/:id': () => [`/hosts/del/${ids.host}`],
  '/hosts/setEnable/:id': () => [`/hosts/setEnable/${ids.host}`, { enable: false }],
  '/hosts/reorder': () => ['/hosts/reorder', { ids: [ids.other, ids.host] }],
  '/hosts/bulk/setEnable': () => ['/hosts/bulk/setEnable', { ids: [ids.host, ids.other], enable: false }],
  '/hosts/bulk/del': () => ['/hosts/bulk/del', { ids: [ids.host, ids.other] }],
  '/hosts/bulk/add': () => ['/hosts/bulk/add', { inboundIds: [ids.a, ids.b], hosts: ['five.example'], remark: 'five' }],
  '/hosts/group/update/:groupId': () => [
    `/hosts/group/update/${ids.group}`,
    { inboundIds: [ids.a], hosts: ['six.example', 'two.example'], remark: 'six' },
  ],
  '/hosts/group/del/:groupId': () => [`/hosts/group/del/${ids.group}`],
  '/hosts/group/setEnable/:groupId': () => [`/hosts/group/setEnable/${ids.group}`, { enable: false }],
  '/hosts/group/reorder': () => ['/hosts/group/reorder', { ids: ['none', ids.group] }],
  '/clients/groups/create': () => ['/clients/groups/create', { name: 'empty' }],
  '/clients/groups/rename': () => ['/clients/groups/rename', { oldName: 'vip', newName: 'gold' }],
  '/clients/groups/delete': () => ['/clients/groups/delete', { name: 'vip' }],
  '/clients/groups/bulkAdd': () => ['/clients/groups/bulkAdd', { emails: ['cleo', 'dora'], group: 'team' }],
  '/clients/groups/bulkRemove': () => ['/clients/groups/bulkRemove', { emails }],
  '/clients/groups/resetTraffic': () => ['/clients/groups/resetTraffic', { name: 'vip' }],
  '/plans/add': () => ['/plans/add', { name: 'Gold', days: 30, inboundIds: [ids.a] }],
  '/plans/update/:id': () => [`/plans/update/${ids.plan}`, { name: 'Tin', group: 'vip', inboundIds: [ids.b] }],
  '/plans/del/:id': () => [`/plans/del/${ids.plan}`],
  '/plans/apply/:id': () => [`/plans/apply/${ids.plan}`, {}],
  '/plans/apply/:id to others': () => [`/plans/apply/${ids.plan}`, { emails: ['anna', 'bert', 'cleo'] }],
  '/setting/update': () => ['/setting/update', { pageSize: 33, smtpPassword: 'hunter2', subTitle: 'Mine' }],
  '/core/update': async () => ['/core/update', new URLSearchParams({ xraySetting: await template() })],
};
/** Operations that change nothing an undo could restore. */
const OTHERS = [
  /^\/clients\/(activeInbounds|onlines|lastOnline|onlinesByGuid|clientIpsByGuid|clearIps|sendLink|bulkSendLink|sessions|quarantine|ips|botLink)/,
  /^\/clients\/(ledger|mailChoice)\//,
  /^\/inbounds\/(soleClients|checkPlace|checkCertificates|pushClientTraffics)/,
  /^\/setting\/(all|defaultSettings|check|restart|factory|validate|getDefault|test|apiTokens|updateUser|admin|sessions|firstCredentials|subHeaders)/,
  /^\/hosts\/preview$/,
  /^\/plans\/preview\//,
  /^\/core\/(?!update$)/,
];

const entries = async (): Promise<JournalEntry[]> =>
  (await panel.read<{ entries: JournalEntry[] }>('/journal/list?limit=200')).entries;
/** Undoes the entries above `from`, newest first. */
async function undoTo(from: number): Promise<void> {
  for (const { id } of (await entries()).filter((entry) => entry.id > from)) await panel.done(`/journal/undo/${id}`);
}

test.each(Object.keys(VERBS))('%s is one entry, can be undone, and redone', async (name) => {
  const [path, body] = await VERBS[name]!();
  const before = await capturedState(panel.store.reader);
  const [last] = await entries();
  await panel.done(path, body);
  const after = await capturedState(panel.store.reader);
  expect(after).not.toEqual(before);
  const made = (await entries()).filter(({ id }) => id > last!.id);
  // Several inbounds are changed one after another, each separately.
  expect(made).toHaveLength(name === '/inbounds/bulkDel' ? 2 : 1);
  expect(made[0]).toMatchObject({ actor: 'token', name: 'test', address: '127.0.0.1', undoRefusal: '' });

  await undoTo(last!.id);
  expect(await capturedState(panel.store.reader)).toEqual(before);
  expect(await unbalanced(panel.store.reader)).toEqual([]);
  // Undone in turn, and once more: the same two states.
  await undoTo(made[0]!.id);
  expect(await capturedState(panel.store.reader)).toEqual(after);
  await undoTo(made[0]!.id + made.length);
  expect(await capturedState(panel.store.reader)).toEqual(before);
  expect(await unbalanced(panel.store.reader)).toEqual([]);
  const shown = JSON.stringify(await panel.read(`/journal/entry/${made[0]!.id}`));
  for (const secret of ['hunter2', uuid(0), uuid(7), 'sub-anna', 'sub-new', 'else.example'])
    expect(shown).not.toContain(secret);
});

test('every operation of clients, inbounds, hosts, groups, settings and template is covered', () => {
  const paths = panel.app.mounted.endpoints
    .filter(({ method }) => method !== 'GET')
    .map(({ path }) => path.replace('/panel/api', ''))
    .filter((path) => /^\/(clients|inbounds|hosts|plans|setting|core)\//.test(path));
  const untried = paths.filter(
    (path) => !(path in VERBS) && !OTHERS.some((other) => other.test(path)) && path !== '/core/update',
  );
  expect(untried).toEqual([]);
});
