import { expect, test } from 'vitest';
import { foreignYamlProxy } from './foreign-yaml.ts';
import { parseLink } from '../parse/parse-link.ts';

function proxyOf(link: string) {
  const parsed = parseLink(link);
  if ('error' in parsed) throw new Error(parsed.error);
  return foreignYamlProxy(parsed.outbound, parsed.outbound.tag);
}

const KEY = 'qX3mT0a9Yb7cV5dN2eW8fK1gR4hS6jL0pZuIoQxEwDs';
const PSK = Buffer.alloc(16, 1).toString('base64');
const UUID = '5f0c2b7e-91d4-4c38-a6f1-0d9be27c4410';

test.each([
  [
    `vless://${UUID}@[2001:db8::5]:8443?type=ws&security=tls&path=%2Fp&host=h.example&sni=s.example&fp=chrome&alpn=h2#a`,
    {
      name: 'a',
      type: 'vless',
      server: '2001:db8::5',
      port: 8443,
      udp: true,
      uuid: UUID,
      network: 'ws',
      'ws-opts': { path: '/p', headers: { Host: 'h.example' } },
      tls: true,
      servername: 's.example',
      'client-fingerprint': 'chrome',
      alpn: ['h2'],
    },
  ],
  [
    `trojan://pw@t.example:443?security=reality&sni=r.example&pbk=${KEY}&sid=7c#t`,
    {
      name: 't',
      type: 'trojan',
      server: 't.example',
      port: 443,
      udp: true,
      password: 'pw',
      network: 'tcp',
      tls: true,
      servername: 'r.example',
      sni: 'r.example',
      'client-fingerprint': 'chrome',
      'reality-opts': { 'public-key': KEY, 'short-id': '7c' },
    },
  ],
  [
    `ss://2022-blake3-aes-128-gcm:${encodeURIComponent(PSK)}:${encodeURIComponent(PSK)}@h:1#s`,
    {
      name: 's',
      type: 'ss',
      server: 'h',
      port: 1,
      udp: true,
      cipher: '2022-blake3-aes-128-gcm',
      password: `${PSK}:${PSK}`,
    },
  ],
  [
    'hy2://a%40b@h2.example?sni=h2.example&obfs=salamander&obfs-password=zz&mport=4000-4100#h',
    {
      name: 'h',
      type: 'hysteria2',
      server: 'h2.example',
      port: 443,
      udp: true,
      password: 'a@b',
      sni: 'h2.example',
      alpn: ['h3'],
      obfs: 'salamander',
      'obfs-password': 'zz',
      ports: '4000-4100',
    },
  ],
  [
    'wg://S0VZKz0%2B@wg.example:51820?publickey=UFVC%2Bw%3D%3D&ip=10.9.0.2%2F32,fd00::2%2F128&psk=UFNL#w',
    {
      name: 'w',
      type: 'wireguard',
      server: 'wg.example',
      port: 51_820,
      udp: true,
      'private-key': 'S0VZKz0+',
      'public-key': 'UFVC+w==',
      'pre-shared-key': 'UFNL',
      ip: '10.9.0.2',
      ipv6: 'fd00::2',
    },
  ],
])('%s', (link, proxy) => expect(proxyOf(link)).toEqual(proxy));

test('what the format cannot express is left out with a reason', () => {
  expect(proxyOf(`vless://${UUID}@h:1?type=kcp`)).toEqual({ reason: 'The format has no kcp for vless' });
  expect(proxyOf('trojan://pw@h:1?security=none')).toEqual({ reason: 'The format has Trojan only over TLS' });
  expect(proxyOf('wg://a@h?publickey=b')).toEqual({ reason: 'The link has no address and port' });
});

test.each([
  ['rc4-md5:pw', 'The format has no cipher rc4-md5'],
  ['2022-blake3-aes-128-gcm:short', 'The cipher 2022-blake3-aes-128-gcm needs keys of 16 bytes'],
  [`2022-blake3-aes-256-gcm:${PSK}`, 'The cipher 2022-blake3-aes-256-gcm needs keys of 32 bytes'],
  [`2022-blake3-aes-128-gcm:${PSK}:short`, 'The cipher 2022-blake3-aes-128-gcm needs keys of 16 bytes'],
  ['CHACHA20-POLY1305:pw', null],
])('Shadowsocks %s is left out: %s', (user, reason) => {
  const proxy = proxyOf(`ss://${Buffer.from(user).toString('base64url')}@h:1`);
  expect('reason' in proxy ? proxy.reason : null).toBe(reason);
});

test.each([
  ['security=reality', 'The public key of REALITY is not valid'],
  ['security=reality&pbk=KEY', 'The public key of REALITY is not valid'],
  [`security=reality&pbk=${KEY}&sid=abc`, 'The short id of REALITY is not valid'],
  [`security=reality&pbk=${KEY}&sid=zz`, 'The short id of REALITY is not valid'],
  [`security=reality&pbk=${KEY}&sid=${'ab'.repeat(9)}`, 'The short id of REALITY is not valid'],
  [`security=reality&pbk=${KEY}`, null],
  ['security=tls&pcs=abc', 'The pinned certificate is not a SHA-256'],
  [`security=tls&pcs=${'0f'.repeat(32)}`, null],
])('VLESS with %s is left out: %s', (query, reason) => {
  const proxy = proxyOf(`vless://${UUID}@h:1?${query}`);
  expect('reason' in proxy ? proxy.reason : null).toBe(reason);
});

test('a Hysteria link with a range of ports hops over it', () => {
  expect(proxyOf('hy2://a@h:20000-50000')).toMatchObject({ port: 20_000, ports: '20000-50000' });
});

test('a Hysteria link with a pin that is none is left out', () => {
  expect(proxyOf('hy2://a@h:1?pinSHA256=abc')).toEqual({ reason: 'The pinned certificate is not a SHA-256' });
});

test.each([
  [`vmess://${Buffer.from('{"add":"h","port":1}').toString('base64')}`, 'The client has no id'],
  [`vmess://${Buffer.from(`{"port":1,"id":"${UUID}"}`).toString('base64')}`, 'The link has no address'],
  [`ss://${Buffer.from('aes-128-gcm:').toString('base64url')}@h:1`, 'The client has no password'],
  [`vless://${UUID}@h:1?encryption=auto`, 'The encryption of VLESS is not valid'],
  [`vless://${UUID}@h:1?type=xhttp&mode=gun`, 'The format has no mode gun of XHTTP'],
  [`vless://${UUID}@h:1?security=tls&ech=AEX`, 'The ECH list is not valid'],
  [
    `hy2://a@h:1?fm=${encodeURIComponent('{"quicParams":{"udpHop":{"ports":"1000-"}}}')}`,
    'The ports to hop over are not valid',
  ],
])('%s is left out, because apps refuse the whole document for it', (link, reason) => {
  expect(proxyOf(link)).toEqual({ reason });
});

const WG_KEY = Buffer.alloc(32, 7).toString('base64');
const wireguard = (query: string, key = WG_KEY) =>
  proxyOf(`wg://${encodeURIComponent(key)}@h:1?publickey=${encodeURIComponent(WG_KEY)}${query}`);

test('WireGuard: keys in any spelling of Base64, and what else its link says', () => {
  expect(wireguard('&address=10.0.0.2,fd00::2/128&reserved=1,2,255&mtu=1280&keepalive=25')).toMatchObject({
    ip: '10.0.0.2',
    ipv6: 'fd00::2',
    reserved: [1, 2, 255],
    mtu: 1280,
    'persistent-keepalive': 25,
  });
  const spelled = Buffer.alloc(32, 255).toString('base64url');
  expect(wireguard('', spelled)).toMatchObject({ 'private-key': Buffer.alloc(32, 255).toString('base64') });
  expect(wireguard('&reserved=1,2')).not.toHaveProperty('reserved');
  expect(wireguard('&reserved=1,2,300')).not.toHaveProperty('reserved');
});

test.each([
  ['', 'a', 'A key of WireGuard is not valid'],
  ['&psk=x', WG_KEY, 'A key of WireGuard is not valid'],
  ['&address=foo', WG_KEY, 'The link has no address of the client'],
])('WireGuard with %s and the key %s is left out: %s', (query, key, reason) => {
  expect(wireguard(query, key)).toEqual({ reason });
});
