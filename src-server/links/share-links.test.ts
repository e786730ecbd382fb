import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../contract/json.ts';
import { HostContent } from '../domains/hosts/contract.ts';
import { clientOf, EXAMPLES, type Example } from '../testing/golden-links.ts';
import { resolveAddress } from './address.ts';
import { endpointsOf } from './endpoints.ts';
import { prepareShareLink } from './share-links.ts';
import type { LinkHost, LinkInbound } from './types.ts';

function hostsOf({ hosts = [] }: Example): LinkHost[] {
  return hosts.map(({ address = '', port = 0, ...content }) => ({
    ...HostContent.parse(content),
    address: String(address),
    port: Number(port),
  }));
}

function inboundOf(example: Example): LinkInbound {
  const { streamSettings: stream, ...inbound } = example.inbound;
  return { ...inbound, id: 1, listen: '', stream, hosts: hostsOf(example), master: null };
}

function linksOf(example: Example): string[] {
  const client = clientOf(example);
  return endpointsOf(inboundOf(example), 'raw', () => example.address).flatMap((endpoint) => {
    const prepared = prepareShareLink(endpoint);
    const name = [endpoint.inboundRemark, endpoint.hostRemark, client.email].filter((part) => part !== '').join('-');
    return 'reason' in prepared ? [] : [prepared.render(client, name)];
  });
}

describe('share links, byte for byte', () => {
  test.each(EXAMPLES)('$id $title', (example) => {
    expect(linksOf(example)).toEqual(example.links);
  });
});

describe('addresses', () => {
  const none = { nodeAddress: '', subDomain: '', webDomain: '', requestHost: 's.example' };
  test.each([
    ['198.51.100.4', { ...none, nodeAddress: 'n1.example' }, 'n1.example'],
    ['198.51.100.4', { ...none, subDomain: 'p.example' }, '198.51.100.4'],
    ['0.0.0.0', { ...none, subDomain: 'p.example', webDomain: 'w.example', requestHost: '192.168.0.7' }, 'p.example'],
    ['/run/a.sock', { ...none, webDomain: 'w.example' }, 'w.example'],
    ['', none, 's.example'],
    ['::1', { ...none, requestHost: '127.0.0.1' }, 'localhost'],
  ])('of %s with %o is %s', (listen, sources, expected) => {
    expect(resolveAddress({ listen }, sources)).toBe(expected);
  });
});

test('an inbound behind a fallback is reached through its master, with its own transport', () => {
  const [first] = EXAMPLES;
  const child = { ...inboundOf(first!), listen: '@child', stream: { network: 'ws', wsSettings: { path: '/c' } } };
  const stream: JsonObject = { network: 'tcp', security: 'tls', tlsSettings: { serverName: 'm.example' } };
  const master = { ...inboundOf(first!), id: 2, listen: '', port: 443, stream };
  const [endpoint] = endpointsOf({ ...child, master }, 'raw', ({ listen }) => `${listen}m.example`);
  expect(endpoint).toMatchObject({ address: 'm.example', port: 443, network: 'ws', security: 'tls' });
  const [open] = endpointsOf({ ...child, listen: '', master }, 'raw', () => 'x');
  expect(open).toMatchObject({ port: child.port, security: '' });
});
