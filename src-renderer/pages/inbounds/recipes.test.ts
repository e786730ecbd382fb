import { expect, test } from 'vitest';
import type { JsonObject } from '#wire/json';
import { hostOf, inboundOf, randomPort, RECIPES, traitsOf, type Recipe, type RecipeForm } from './recipes.ts';

const random = (count: number) => new Uint8Array(count).fill(255);
const form = (recipe: Recipe, more: Partial<RecipeForm> = {}): RecipeForm => ({
  recipe,
  remark: ' Home ',
  port: 443,
  target: 'site.example:443',
  domain: '',
  certFile: ' /etc/cert.pem ',
  keyFile: '/etc/key.pem',
  admitsOtherEngines: false,
  ...more,
});
const PAIRS = [
  { privateKey: 'p-_', publicKey: 'q' },
  { privateKey: 'r', publicKey: 's' },
];
const make = (recipe: Recipe) => inboundOf(form(recipe), PAIRS, random);

test.each(['reality', 'xhttp'] as const)('%s  has its target, its keys and a short id', (recipe) => {
  expect(make(recipe)).toMatchObject({
    remark: 'Home',
    protocol: 'vless',
    streamSettings: {
      realitySettings: {
        target: 'site.example:443',
        serverNames: ['site.example'],
        privateKey: 'p-_',
        shortIds: ['ffffffff'],
        settings: { publicKey: 'q' },
      },
    },
  });
});

test.each(['reality', 'xhttp'] as const)('%s admits apps on other engines only if asked to', (recipe) => {
  const oldest = (admitsOtherEngines: boolean) => {
    const { streamSettings } = inboundOf(form(recipe, { admitsOtherEngines }), PAIRS, random);
    return (streamSettings['realitySettings'] as JsonObject)['minClientVer'];
  };
  expect([oldest(false), oldest(true)]).toEqual([undefined, '0.0.0']);
});

test('the others contain secrets nobody can guess', () => {
  expect(make('websocket')).toMatchObject({ streamSettings: { wsSettings: { path: '/ffffffffffff' } } });
  expect(make('xhttpCdn')).toMatchObject({ streamSettings: { xhttpSettings: { path: '/ffffffffffff' } } });
  expect(make('shadowsocks')).toMatchObject({ settings: { password: '/////////////////////w==' } });
  // In WireGuard's encoding, the server's key distinct from the peer's.
  expect(make('wireguard')).toMatchObject({
    settings: { secretKey: 'p+/=', peers: [{ privateKey: 'r=', publicKey: 's=' }] },
  });
});

test.each(['trojan', 'hysteria2'] as const)('%s has the certificate', (recipe) => {
  const certificates = [{ certificateFile: '/etc/cert.pem', keyFile: '/etc/key.pem' }];
  expect(make(recipe)).toMatchObject({ streamSettings: { security: 'tls', tlsSettings: { certificates } } });
});

test('a domain at a CDN becomes a host, for recipes that ask for one', () => {
  expect(hostOf(form('xhttpCdn', { domain: 'cdn.example' }), 7)).toMatchObject({
    inboundId: 7,
    remark: 'Home',
    address: 'cdn.example',
    port: 443,
    security: 'tls',
    sni: 'cdn.example',
    hostHeader: 'cdn.example',
  });
  expect(hostOf(form('websocket', { domain: 'cdn.example', remark: '' }), 7)).toMatchObject({
    remark: 'cdn.example',
    alpn: ['http/1.1'],
  });
  expect(hostOf(form('xhttpCdn'), 7)).toBeNull();
  for (const recipe of RECIPES.filter((one) => traitsOf(one).need !== 'domain'))
    expect(hostOf(form(recipe, { domain: 'cdn.example' }), 7)).toBeNull();
});

test('ports stay below the range for outgoing connections', () => {
  expect(randomPort(() => new Uint8Array([0, 0]))).toBe(10_000);
  expect(randomPort(random)).toBe(10_000 + (65_535 % 20_000));
});
