import { expect, it } from 'vitest';
import { proposedAddresses } from './proposed-addresses.ts';

it.each([
  ['a server in the internet', ['5.75.1.2', '10.0.0.2', '2a01:4f8::1'], '127.0.0.1', '5.75.1.2'],
  ['a server behind address translation', ['10.0.0.2', '2a01:4f8::1'], '5.75.1.2', '5.75.1.2'],
  ['one that is opened by name', ['10.0.0.2'], 'panel.example', 'panel.example'],
  ['one that is opened by an IPv6 address', ['10.0.0.2'], '[2a01:4f8::1]', '2a01:4f8::1'],
  ['one behind a tunnel', ['192.168.1.20'], 'localhost', '192.168.1.20'],
  ['one with IPv6 alone', ['2a01:4f8::1'], '[::1]', '2a01:4f8::1'],
  ['the panel of this window', ['192.168.1.20'], '', '192.168.1.20'],
  ['a machine without a network', [], '127.0.0.1', undefined],
])('%s', (_what, hosts, bar, first) => {
  expect(proposedAddresses(hosts, bar)[0]).toBe(first);
});

it('offers each of the others once', () => {
  expect(proposedAddresses(['5.75.1.2', '10.0.0.2'], '5.75.1.2')).toEqual(['5.75.1.2', '10.0.0.2']);
  expect(proposedAddresses(['5.75.1.2', '10.0.0.2'], 'panel.example')).toEqual([
    '5.75.1.2',
    'panel.example',
    '10.0.0.2',
  ]);
});
