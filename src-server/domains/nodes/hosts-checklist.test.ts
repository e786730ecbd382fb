import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { forAllTests } from '../../testing/for-each-test.ts';
import { startNodePair } from '../../testing/panels/node-pair.ts';
import type { Host, HostGroup } from '../hosts/contract.ts';

/*
 * Hosts of inbounds on a node, in the links that this panel hands out. Numbers continue those of
 * fleet-checklist.test.ts, which has 13.40.
 */

const FORMATS = ['sub', 'json', 'yaml'] as const;
const STREAM = { network: 'ws', security: 'none', wsSettings: { path: '/w' } };

const pair = forAllTests(startNodePair);
beforeAll(async () => {
  const names = { remarkTemplate: '{{INBOUND}}-{{HOST}}' };
  await pair.central.set({ subEncrypt: false, subJsonEnable: true, subYamlEnable: true, ...names });
});

/** Adds a client to inbounds of the node; resolves once the node has it. */
async function subscriber(subId: string, inboundIds: readonly number[]): Promise<void> {
  await pair.central.add({ email: subId, subId }, inboundIds);
  await pair.sync();
}
const onNode = (port: number, remark: string, streamSettings: object = STREAM) =>
  pair.central.inbound(port, { nodeId: pair.nodeId, remark, streamSettings });
const bodyOf = async (format: (typeof FORMATS)[number], subId: string) =>
  (await pair.central.fetchSub(`/${format}/${subId}`)).text();
const linksOf = async (subId: string) => (await bodyOf('sub', subId)).trimEnd().split('\n');
const nameOf = (link: string) => decodeURIComponent(new URL(link).hash.slice(1));
const addHost = (host: object) => pair.central.done<Host>('/hosts/add', host);

test('13.37 without hosts, with none enabled, or none for a format, the inbound itself is in the links', async () => {
  const inboundId = await onNode(443, 'door');
  await subscriber('ann', [inboundId]);
  const bodies = () => Promise.all(FORMATS.map((format) => bodyOf(format, 'ann')));
  const [raw, json, yaml] = await bodies();
  expect(new URL(raw!.trim())).toMatchObject({ host: '127.0.0.1:443', hash: '#door' });
  const host = { inboundId, remark: 'front', address: 'front.example' };
  const { id } = await addHost({ ...host, excludeFromSubTypes: ['raw'] });
  await pair.central.done(`/hosts/setEnable/${id}`, { enable: false });
  expect(await bodies()).toEqual([raw, json, yaml]);
  await pair.central.done(`/hosts/setEnable/${id}`, { enable: true });
  const [rawThen, jsonThen, yamlThen] = await bodies();
  expect(rawThen).toBe(raw);
  for (const body of [jsonThen, yamlThen]) expect(body).toContain('front.example');
});

test('13.38 each host is a link, in the order of the hosts within the order of the inbounds', async () => {
  const inboundIds = [await onNode(1443, 'one'), await onNode(2443, 'two')];
  await subscriber('bea', inboundIds);
  const groups: string[] = [];
  for (const remark of ['a', 'b', 'c']) {
    const hosts = await pair.central.done<Host[]>('/hosts/bulk/add', { inboundIds, hosts: [`${remark}.test`], remark });
    groups.push(hosts[0]!.groupId);
  }
  const names = async () => (await linksOf('bea')).map(nameOf);
  expect(await names()).toEqual(['one-a', 'one-b', 'one-c', 'two-a', 'two-b', 'two-c']);
  await pair.central.done('/hosts/group/reorder', { ids: groups.toReversed() });
  expect(await names()).toEqual(['one-c', 'one-b', 'one-a', 'two-c', 'two-b', 'two-a']);
});

test('13.39 a group changed to include an unknown inbound keeps its hosts', async () => {
  const inboundIds = [await onNode(3443, 'kept')];
  await pair.central.done('/hosts/bulk/add', { inboundIds, hosts: ['k.test'], remark: 'k' });
  const before = await pair.central.read<Host[]>('/hosts/list');
  const group = (await pair.central.read<HostGroup[]>('/hosts/groups')).find(({ remark }) => remark === 'k')!;
  const change = { ...group, inboundIds: [...inboundIds, 9_999] };
  expect((await pair.central.post(`/hosts/group/update/${group.groupId}`, change)).success).toBe(false);
  expect(await pair.central.read('/hosts/list')).toEqual(before);
});

test('13.41 link names are made for each client of an inbound', async () => {
  const inboundId = await onNode(4443, 'shared');
  await addHost({ inboundId, remark: 'front' });
  await pair.central.set({ remarkTemplate: '{{INBOUND}} {{HOST}} {{EMAIL}}' });
  for (const subId of ['cleo', 'dora']) await subscriber(subId, [inboundId]);
  const names = async () => (await Promise.all(['cleo', 'dora'].map(linksOf))).flat().map(nameOf);
  expect(await names()).toEqual(['shared front cleo', 'shared front dora']);
});

test('13.42 a host of a REALITY inbound changes its server name and fingerprint, and keeps its keys', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const keyOf = (key: typeof privateKey, part: 'd' | 'x') => String(key.export({ format: 'jwk' })[part]);
  const [own, published] = [keyOf(privateKey, 'd'), keyOf(publicKey, 'x')];
  const inboundId = await onNode(5443, 'real', {
    network: 'tcp',
    security: 'reality',
    realitySettings: {
      target: 'site.example:443',
      serverNames: ['site.example'],
      privateKey: own,
      shortIds: ['0123abcd'],
      settings: { publicKey: published, fingerprint: 'chrome' },
    },
  });
  await addHost({ inboundId, remark: 'other', sni: 'other.example', fingerprint: 'firefox' });
  await subscriber('eve', [inboundId]);
  const [link] = await linksOf('eve');
  const params = Object.fromEntries(new URL(link!).searchParams);
  expect(params).toMatchObject({
    security: 'reality',
    sni: 'other.example',
    fp: 'firefox',
    pbk: published,
    sid: '0123abcd',
  });
  expect(link).not.toContain(own);
});
