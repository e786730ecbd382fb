import { expect, test } from 'vitest';
import { inboundOf, randomPort, type Recipe } from './recipes.ts';

const random = (count: number) => new Uint8Array(count).fill(255);
const make = (recipe: Recipe) =>
  inboundOf(
    { recipe, remark: ' Home ', port: 443, target: 'site.example:443' },
    { privateKey: 'p', publicKey: 'q' },
    random,
  );

test('REALITY names its target, its keys and a short id', () => {
  expect(make('reality')).toMatchObject({
    remark: 'Home',
    protocol: 'vless',
    streamSettings: {
      realitySettings: {
        target: 'site.example:443',
        serverNames: ['site.example'],
        privateKey: 'p',
        shortIds: ['ffffffff'],
        settings: { publicKey: 'q' },
      },
    },
  });
});

test('the others bring what nobody can guess', () => {
  expect(make('websocket')).toMatchObject({ streamSettings: { wsSettings: { path: '/ffffffffffff' } } });
  expect(make('shadowsocks')).toMatchObject({ settings: { password: '/////////////////////w==' } });
});

test('ports stay below those of outgoing connections', () => {
  expect(randomPort(() => new Uint8Array([0, 0]))).toBe(10_000);
  expect(randomPort(random)).toBe(10_000 + (65_535 % 20_000));
});
