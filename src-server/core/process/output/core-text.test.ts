import { expect, test } from 'vitest';
import { culpritOf, listenerOf, reasonOf, warningsOf } from './core-text.ts';

test.each([
  [
    'Xray 26.7.28\n2026/08/01 12:00:00.000001 [Info] reading\nFailed to start: main: failed to load config files: [/a b/c.json] > infra/conf: failed to build inbound config with tag in-1 > x\n',
    'infra/conf: failed to build inbound config with tag in-1 > x',
  ],
  ['Failed to start: main: failed to create server > app/router: no', 'app/router: no'],
  [
    'panic: runtime error: index out of range [0] with length 0\n\ngoroutine 1 [running]:\nFoo()',
    'panic: runtime error: index out of range [0] with length 0',
  ],
  ['', ''],
  ['flag provided but not defined: -x\r\n', 'flag provided but not defined: -x'],
])('%j', (output, reason) => {
  expect(reasonOf(output)).toBe(reason);
});

test.each([
  ['infra/conf: failed to build inbound config with tag in-1 > x', { kind: 'inbound', tag: 'in-1' }],
  ['failed to build outbound config with tag my proxy > x > y', { kind: 'outbound', tag: 'my proxy' }],
  ['app/router: no', null],
])('%s', (reason, culprit) => {
  expect(culpritOf(reason)).toEqual(culprit);
});

test.each([
  [
    'app/proxyman/inbound: failed to listen TCP on 41001 > listen tcp 127.0.0.1:41001: bind: address already in use',
    { port: 41001, network: 'tcp', host: '127.0.0.1' },
  ],
  ['app/proxyman/inbound: failed to listen TCP on 41001 > x', { port: 41001, network: '', host: '' }],
  ['listen udp [::1]:41003: bind: cannot assign requested address', { port: 41003, network: 'udp', host: '[::1]' }],
  [
    'app/proxyman/inbound: failed to listen Unix Domain Socket on /a b/c.sock,0660 > transport/internet: failed to listen on unix address: /a b/c.sock,0660 > listen unix /a b/c.sock: bind: address already in use',
    { listen: '/a b/c.sock,0660' },
  ],
  // The one of the core's own API.
  ['listen unix /a/b.sock: bind: address already in use', null],
  ['app/router: no', null],
])('%s', (reason, listener) => {
  expect(listenerOf(reason)).toEqual(listener);
});

test('warnings are reported once, without their time and place', () => {
  const warning = '2026/11/22 20:39:55.351694 [Warning] infra/conf: REALITY: Choosing "a.example" as the target\n';
  const old = '2026/11/22 20:39:55.353781 [Warning] common/errors: The feature X is deprecated.\n';
  expect(warningsOf(`Xray 26.7.28\n2026/11/22 [Info] read\n${warning}${warning}${old}Configuration OK.\n`)).toEqual([
    'REALITY: Choosing "a.example" as the target',
    'The feature X is deprecated.',
  ]);
});
