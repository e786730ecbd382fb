import { toValidationIssues } from '#wire/validation';
import { describe, expect, it } from 'vitest';
import { nodeRow } from './testing-node.ts';
import { addressToAdd, firstForm, NEW_NODE, NodeFormSchema, splitAddress, toForm, toWire } from './editor/node-form.ts';
import { deliveryOf, isOlder, stateOf, urlOf } from './node-state.ts';
import { treeOf } from './node-tree.ts';

describe('state of a node', () => {
  it.each([
    [{}, 'online'],
    [{ enable: false }, 'disabled'],
    [{ enable: false, status: 'offline' }, 'disabled'],
    [{ status: 'unknown', coreState: '' }, 'unknown'],
    [{ status: 'offline', coreState: 'error' }, 'offline'],
    [{ coreState: 'error' }, 'coreError'],
    [{ coreState: 'stop' }, 'coreStopped'],
  ] as const)('%j is %s', (part, state) => expect(stateOf(nodeRow(part))).toBe(state));

  it.each([
    [{}, 'applied'],
    [{ configDirty: true }, 'sending'],
    [{ configDirty: true, status: 'offline' }, 'queued'],
    [{ configDirty: true, enable: false }, 'queued'],
    [{ configDirty: true, syncError: 'port taken' }, 'refused'],
    // A node whose core failed still accepts changes.
    [{ configDirty: true, coreState: 'error' }, 'sending'],
  ] as const)('%j: changes are %s', (part, delivery) => expect(deliveryOf(nodeRow(part))).toBe(delivery));

  it('changes that wait for the operator are a state of their own', () =>
    expect(
      deliveryOf(nodeRow({ configDirty: true, plans: [{ kind: 'delete', inboundCount: 6, clientCount: 0 }] })),
    ).toBe('held'));

  it.each([
    ['1.2.3', 'v1.2.4', true],
    ['v1.10.0', '1.9.9', false],
    ['1.2.3', 'v1.2.3', false],
    ['dev+1234abcd', '1.2.3', true],
    ['', '1.2.3', false],
    ['1.2.3', '', false],
  ])('%s is older than %s: %s', (running, latest, isBehind) => expect(isOlder(running, latest)).toBe(isBehind));

  it('writes an IPv6 address as in a URL', () =>
    expect(urlOf(nodeRow({ address: '2001:db8::7' }))).toBe('https://[2001:db8::7]:2053/'));
});

describe('tree of nodes', () => {
  it('puts panels below the node that manages them, in any order, and loses none', () => {
    const behind = (guid: string, parentGuid: string) =>
      nodeRow({ id: 0, guid, parentGuid, name: guid, transitive: true });
    const rows = treeOf([
      nodeRow({ id: 1, guid: 'a', name: 'one', parentGuid: 'own' }),
      nodeRow({ id: 2, guid: 'b', name: 'two', parentGuid: 'own' }),
      behind('deep-b', 'b'),
      behind('deep-a', 'a'),
      behind('lost', 'x'),
    ]);
    expect(rows.map(({ node, parentName }) => [node.name, parentName])).toEqual([
      ['one', null],
      ['deep-a', 'one'],
      ['two', null],
      ['deep-b', 'two'],
      ['lost', ''],
    ]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });
});

describe('form of a node', () => {
  const problems = (form: Parameters<typeof toWire>[0]): string[] =>
    toValidationIssues(NodeFormSchema.safeParse(form, { reportInput: true }).error ?? { issues: [] }).map(
      ({ field, code }) => `${field} ${code}`,
    );

  it('is validated as on the server', () => {
    expect(problems({ ...NEW_NODE, name: 'a', address: 'node.example.com' })).toEqual([]);
    expect(problems({ ...NEW_NODE, port: '' }).sort()).toEqual([
      'address field.nodeAddress',
      'name field.nodeName',
      'port field.nodePort',
    ]);
    expect(problems({ ...NEW_NODE, name: 'a', address: 'a.b', tlsVerifyMode: 'pin' })).toEqual([
      'pinnedCertSha256 field.pinEmpty',
    ]);
  });

  it('sends the whole node, and never sends a token that was not typed', () => {
    const stored = nodeRow({ id: 4, outboundTag: 'egress', inboundSyncMode: 'selected', inboundTags: ['a'] });
    expect(toWire(toForm(stored), stored)).toMatchObject({
      id: 4,
      outboundTag: 'egress',
      inboundTags: ['a'],
      apiToken: '',
    });
  });

  it('asks for no certificate over plain HTTP', () =>
    expect(toWire({ ...NEW_NODE, scheme: 'http', tlsVerifyMode: 'mtls' }, null).tlsVerifyMode).toBe('skip'));

  it('takes a whole address apart', () => {
    expect(splitAddress('https://[2001:db8::7]:8443/secret/panel/nodes?x=1')).toEqual({
      scheme: 'https',
      address: '2001:db8::7',
      port: 8443,
      basePath: '/secret/',
    });
    expect(splitAddress(' http://node.example.com ')).toMatchObject({ scheme: 'http', port: 80, basePath: '/' });
    expect(splitAddress('node.example.com')).toBeNull();
    expect(splitAddress('https://node.example.com/my-panel/')).toMatchObject({ basePath: '/my-panel/' });
    expect(splitAddress('https://node.example.com/panel/panel/nodes')).toMatchObject({ basePath: '/panel/' });
  });

  it('is filled with values from another page', () => {
    const to = new URL(addressToAdd({ name: 'A & b', address: 'https://n.example:444/x/', pin: 'ab:cd' }), 'http://p');
    expect(firstForm(to.searchParams.get('node')!)).toMatchObject({
      name: 'A & b',
      address: 'n.example',
      port: 444,
      basePath: '/x/',
      tlsVerifyMode: 'pin',
      pinnedCertSha256: 'ab:cd',
    });
    expect(firstForm('new')).toEqual(NEW_NODE);
  });
});
