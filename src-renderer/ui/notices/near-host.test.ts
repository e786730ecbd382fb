import { expect, it } from 'vitest';
import { nearHost } from './near-host.ts';

it.each([
  ['http://127.0.0.1:10882/sub/a', '127.0.0.1'],
  ['http://localhost:10882/sub/a', 'localhost'],
  ['vless://id@192.168.1.5:443?type=tcp#a', '192.168.1.5'],
  ['trojan://pw@[fd00::1]:443#a', 'fd00::1'],
  ['hysteria2://pw@100.64.0.9:443#a', '100.64.0.9'],
  [`vmess://${btoa(JSON.stringify({ add: '10.0.0.1', ps: 'a' }))}`, '10.0.0.1'],
  ['https://box.local/sub/a', 'box.local'],
  ['vless://id@203.0.114.5:443#a', ''],
  ['vless://id@[2a01:4f8::1]:443#a', ''],
  ['https://vpn.example.com/sub/a', ''],
  ['vmess://not base64', ''],
  ['nothing', ''],
])('%s leads to %s', (link, host) => {
  expect(nearHost(link)).toBe(host);
});
