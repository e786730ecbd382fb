import { expect, it } from 'vitest';
import type { CountedInbound } from '#contract/inbounds';
import { recipeText } from './recipe-text.ts';
import { shownInbounds, type InboundChoice } from './shown-inbounds.ts';

const ALL: InboundChoice = { q: '', protocol: '', state: '', sort: '', order: '' };
const row = (part: object) =>
  ({
    id: 1,
    enable: true,
    remark: '',
    tag: '',
    listen: '',
    port: 1,
    protocol: 'vless',
    up: 0,
    down: 0,
    ...part,
  }) as CountedInbound;
const ROWS = [
  row({ id: 1, remark: 'Door 10', port: 443, streamSettings: { network: 'ws' }, clientCount: 5 }),
  row({ id: 2, remark: 'Door 9', port: 8443, enable: false, clientCount: 50, up: 7 }),
  row({ id: 3, remark: 'Back', port: 53, protocol: 'trojan', clientCount: 1, down: 9 }),
];
const ids = (part: Partial<InboundChoice>) =>
  shownInbounds(ROWS, { ...ALL, ...part }, ({ id }) => id === 3).map(({ id }) => id);

it('searches all words, filters and sorts, and keeps the panel’s order by default', () => {
  expect(ids({})).toEqual([1, 2, 3]);
  expect(ids({ q: 'door WS' })).toEqual([1]);
  expect(ids({ q: '443' })).toEqual([1, 2]);
  expect(ids({ protocol: 'trojan' })).toEqual([3]);
  expect(ids({ state: 'off' })).toEqual([2]);
  expect(ids({ state: 'notRunning' })).toEqual([3]);
  expect(ids({ sort: 'remark' })).toEqual([3, 2, 1]);
  expect(ids({ sort: 'clients', order: 'descend' })).toEqual([2, 1, 3]);
  expect(ids({ sort: 'no such column' })).toEqual([1, 2, 3]);
});

it('copies the recipe of an inbound, without clients and secrets', () => {
  const text = recipeText({
    id: 7,
    tag: 'in-443',
    up: 5,
    remark: 'Home',
    port: 443,
    protocol: 'vless',
    settings: { decryption: 'none', clients: [{ id: 'secret-uuid' }] },
    streamSettings: {
      network: 'tcp',
      security: 'reality',
      realitySettings: { privateKey: 'secret-key', shortIds: ['ab'], settings: { publicKey: 'open' } },
      tlsSettings: { certificates: [{ certificate: ['open'], key: ['secret-line'] }] },
    },
  });
  expect(text).not.toMatch(/secret/);
  expect(JSON.parse(text)).toEqual({
    remark: 'Home',
    port: 443,
    protocol: 'vless',
    settings: { decryption: 'none' },
    streamSettings: {
      network: 'tcp',
      security: 'reality',
      realitySettings: { privateKey: '', shortIds: ['ab'], settings: { publicKey: 'open' } },
      tlsSettings: { certificates: [{ certificate: ['open'], key: [] }] },
    },
  });
});
