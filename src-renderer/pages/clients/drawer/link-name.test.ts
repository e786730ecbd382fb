import { expect, test } from 'vitest';
import { linkName, subscriptionUrl } from './link-name.ts';

test.each([
  ['vless://id@h:1?type=tcp#Oslo%20%F0%9F%87%B3%F0%9F%87%B4', 'vless · Oslo 🇳🇴'],
  ['trojan://pw@h:1', 'trojan'],
  ['ss://x@h:1#100%', 'ss · 100%'],
  [`vmess://${btoa('{"ps":"Turku"}')}`, 'vmess · Turku'],
  ['vmess://broken', 'vmess'],
])('%s is called %s', (link, name) => expect(linkName(link)).toBe(name));

test('a subscription stands below its prefix', () => {
  expect(subscriptionUrl('https://s.example/sub/', 'a b')).toBe('https://s.example/sub/a%20b');
  expect(subscriptionUrl('https://s.example/sub', 'x')).toBe('https://s.example/sub/x');
});
