import { fromBinary } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { accountOf, userKind } from './account.ts';
import { AccountSchema as ShadowsocksAccountSchema } from './generated/proxy/shadowsocks/config_pb.ts';
import { AccountSchema as VlessAccountSchema } from './generated/proxy/vless/account_pb.ts';
import { PeerConfigSchema } from './generated/proxy/wireguard/config_pb.ts';

const KEY_16 = 'AgICAgICAgICAgICAgICAg==';

test.each([
  ['vless', {}, 'vless'],
  ['VMess', {}, 'vmess'],
  ['shadowsocks', { method: 'aes-256-gcm' }, 'shadowsocks'],
  ['shadowsocks', { method: '2022-blake3-aes-128-gcm' }, 'shadowsocks2022'],
  ['shadowsocks', { method: '2022-blake3-chacha20-poly1305' }, 'none'],
  ['shadowsocks', { method: 'rot13' }, 'none'],
  ['mixed', {}, 'none'],
])('%s %j has users of kind %s', (protocol, settings, kind) => {
  expect(userKind({ protocol, settings })).toBe(kind);
});

test('the account kind follows the inbound, whatever the entry looks like', () => {
  const entry = { email: 'u', password: KEY_16, method: 'aes-256-gcm', id: 'x', auth: 'y' };
  const typeOf = (method: string): string => accountOf({ protocol: 'shadowsocks', settings: { method } }, entry).type;
  expect(typeOf('2022-blake3-aes-128-gcm')).toBe('xray.proxy.shadowsocks_2022.Account');
  expect(typeOf('aes-128-gcm')).toBe('xray.proxy.shadowsocks.Account');
  const { value } = accountOf({ protocol: 'shadowsocks', settings: { method: 'chacha20-ietf-poly1305' } }, entry);
  expect(fromBinary(ShadowsocksAccountSchema, value)).toMatchObject({ password: KEY_16, cipherType: 7 });
});

test('vless users get the defaults that only the config loader knows', () => {
  const account = (settings: Record<string, string | number[]>, entry: Record<string, string>) =>
    fromBinary(VlessAccountSchema, accountOf({ protocol: 'vless', settings }, { email: 'u', id: 'i', ...entry }).value);
  expect(account({ flow: 'xtls-rprx-vision', testseed: [1, 2, 3, 4] }, {})).toMatchObject({
    flow: 'xtls-rprx-vision',
    testseed: [1, 2, 3, 4],
  });
  expect(account({}, {})).toMatchObject({ id: 'i', flow: '', testseed: [] });
});

test('wireguard peers: hex keys, keep-alive as text', () => {
  const publicKey = Buffer.alloc(32, 7).toString('base64');
  const { value } = accountOf(
    { protocol: 'wireguard', settings: {} },
    { email: 'u', publicKey, keepAlive: 25, allowedIPs: ['10.0.0.2/32'] },
  );
  expect(fromBinary(PeerConfigSchema, value)).toMatchObject({
    publicKey: '07'.repeat(32),
    preSharedKey: '',
    keepAlive: '25',
    allowedIps: ['10.0.0.2/32'],
  });
});

test.each([
  ['an empty id', { protocol: 'vless', settings: {} }, { email: 'u', id: '' }],
  [
    'a short 2022 key',
    { protocol: 'shadowsocks', settings: { method: '2022-blake3-aes-256-gcm' } },
    { email: 'u', password: KEY_16 },
  ],
  [
    'no base64',
    { protocol: 'shadowsocks', settings: { method: '2022-blake3-aes-128-gcm' } },
    { email: 'u', password: '!'.repeat(24) },
  ],
  ['a short wireguard key', { protocol: 'wireguard', settings: {} }, { email: 'u', publicKey: 'AQ==' }],
])('%s never reaches the core', (_name, frame, entry) => {
  expect(() => accountOf(frame, entry)).toThrow(expect.objectContaining({ code: 'badAccount' }));
});
