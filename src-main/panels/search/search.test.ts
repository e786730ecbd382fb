import { expect, it } from 'vitest';
import { createKeyTexts } from './key-texts.ts';
import { clientKeys, listKeys, NO_KEYS, searchPanels, type PanelKeys } from './search.ts';

const named = (email: string, more: object = {}): string[] =>
  clientKeys({ email, subId: '', uuid: '', comment: '', ...more });
const panel = (clients: string[][]): PanelKeys => ({
  ...NO_KEYS,
  clients: createKeyTexts(clients),
  clientsReadAtMs: 5,
});
const found = (panels: Record<string, PanelKeys>, text: string): string[] =>
  searchPanels(new Map(Object.entries(panels)), text, () => 0).hits.map(
    ({ panelId, kind, ref }) => `${panelId} ${kind} ${ref}`,
  );

it('finds clients by every key, in any case, and shows them as written', () => {
  const keys = panel([
    named('Ali@Example.org', {
      subId: 'SuB-1',
      uuid: 'ea49f8be-3e24-4631-beb0-2d9906c455c5',
      comment: 'یادداشت\tبلند',
    }),
    named('İstanbul@example.org'),
    named('other@example.org'),
  ]);
  for (const text of ['ALI@', 'sub-1', '3e24-4631', 'یادداشت بلند'])
    expect(found({ one: keys }, text)).toEqual(['one client Ali@Example.org']);
  expect(found({ one: keys }, 'İstanbul')).toEqual(['one client İstanbul@example.org']);
  expect(found({ one: keys }, '  ')).toEqual([]);
  const { hits } = searchPanels(new Map([['one', keys]]), 'ali', () => 0);
  expect(hits).toMatchObject([{ title: 'Ali@Example.org', readAtMs: 5 }]);
});

it('puts whole names first, then prefixes, even behind thousands of others', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => named(`x-ali-${index}`));
  const keys = panel([...many, named('ali-2'), named('ali')]);
  expect(found({ one: keys, two: panel([named('ali')]) }, 'ali').slice(0, 3)).toEqual([
    'one client ali',
    'two client ali',
    'one client ali-2',
  ]);
  expect(searchPanels(new Map([['one', keys]]), 'ali', () => 0).isCut).toBe(true);
});

it('finds inbounds, hosts, nodes and settings by what an operator knows about them', () => {
  const lists = listKeys({
    inbounds: [
      {
        id: 7,
        name: 'Door',
        tag: 'in-443',
        protocol: 'vless',
        listen: '10.0.0.1',
        port: 443,
        enable: true,
        totalBytes: 0,
        usedBytes: 0,
        expiresAtMs: 0,
        clientCount: 1,
      },
    ],
    hosts: [{ id: 8, name: 'relay', address: 'cdn.example.net', port: 8443, sni: '' }],
    nodes: [
      {
        id: 9,
        name: 'de-1',
        address: '203.0.113.9',
        port: 2053,
        status: 'online',
        enable: true,
        coreState: 'running',
        planCount: 0,
      },
    ],
    settings: [{ key: 'webPort', value: '2099' }],
  });
  const keys = { ...NO_KEYS, lists, listsReadAtMs: 6 };
  expect(found({ one: keys }, '443')).toEqual(['one inbound 7', 'one host 8']);
  expect(found({ one: keys }, 'CDN.')).toEqual(['one host 8']);
  expect(found({ one: keys }, '203.0.113')).toEqual(['one node 9']);
  expect(found({ one: keys }, 'webport')).toEqual(['one setting webPort']);
  expect(found({ one: keys }, '2099')).toEqual(['one setting webPort']);
});
