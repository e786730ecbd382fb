import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testFolder } from '../../../src-server/testing/for-each-test.ts';
import type { StoredClient } from '../../bridge/panels.ts';
import { openDataKey } from './data-key.ts';
import { keptPanel } from './kept-panel.ts';
import { openSealedStore, type SealedStore } from './sealed-store.ts';

let folder: string;
let store: SealedStore;
const key = randomBytes(32);
const open = (with_ = key): SealedStore => (store = openSealedStore(join(folder, 'panels.db'), with_));
beforeEach(async () => {
  folder = await testFolder();
  open();
});
afterEach(async () => {
  store.close();
});

const client = (index: number): StoredClient => ({
  email: `known-${index}@example.org`,
  subId: `sub-${index}`,
  uuid: 'b7e1f0a2-known',
  comment: '',
  group: '',
  enable: true,
  totalBytes: 0,
  usedBytes: 0,
  expiresAtMs: 0,
});

it('keeps clients in pieces, returns any of them, and stores none of them unsealed', async () => {
  await keptPanel(store, 'one').writeClients(
    Array.from({ length: 2_500 }, (_, index) => client(index)),
    'mark',
    7,
  );
  for (const name of await readdir(folder)) {
    const bytes = await readFile(join(folder, name));
    for (const known of ['known-', 'b7e1f0a2', 'mark', 'example.org']) expect(bytes.includes(known)).toBe(false);
  }
  store.close();
  const kept = keptPanel(open(), 'one');
  expect(kept.clientsHead()).toMatchObject({ mark: 'mark', readAtMs: 7, count: 2_500 });
  expect(kept.clientsAt([2_499, 0, 1_000, 9_999]).map(({ email }) => email)).toEqual([
    'known-2499@example.org',
    'known-0@example.org',
    'known-1000@example.org',
  ]);
  await kept.writeClients([client(1)], 'less', 8);
  expect([...kept.clients()].flat()).toHaveLength(1);
});

it('deletes panels that are no longer read, and does not open what was moved to another place', () => {
  store.replace('one', 'facts', new Map([['facts', 'of one']]));
  store.replace('two', 'facts', new Map([['facts', 'of two']]));
  store.forget('one');
  expect([store.read('one', 'facts'), store.read('two', 'facts'), store.panels()]).toEqual([null, 'of two', ['two']]);
});

it('starts empty when the file is damaged, and when its key has changed', async () => {
  store.replace('one', 'facts', new Map([['facts', 1]]));
  store.close();
  expect(open().read('one', 'facts')).toBe(1);
  store.close();
  expect(open(randomBytes(32)).read('one', 'facts')).toBe(null);
  store.close();
  await writeFile(join(folder, 'panels.db'), randomBytes(20_000));
  expect(open(key).read('one', 'facts')).toBe(null);
  store.replace('one', 'facts', new Map([['facts', 2]]));
  expect(store.read('one', 'facts')).toBe(2);
});

it('leaves a sound file alone that cannot be opened now, as on a full disk, and stores nothing meanwhile', async () => {
  store.replace('one', 'facts', new Map([['facts', 1]]));
  store.close();
  // The place of its log is taken.
  await mkdir(join(folder, 'panels.db-wal'));
  expect(open().isKept).toBe(false);
  store.replace('one', 'facts', new Map([['facts', 2]]));
  expect(store.read('one', 'facts')).toBe(2);
  store.close();
  await rm(join(folder, 'panels.db-wal'), { recursive: true });
  expect([open().isKept, store.read('one', 'facts')]).toEqual([true, 1]);
});

it('seals its key by the key store, replaces one that does not open; without a key store it is temporary', async () => {
  let file = { sealed: '' };
  const kept = { read: () => file, write: async (value: { sealed: string }) => void (file = value) };
  const keys = (owner: string, isTrustworthy = true) => ({
    isTrustworthy: async () => isTrustworthy,
    seal: async (text: string) => owner + text,
    open: async (sealed: string) => {
      if (!sealed.startsWith(owner)) throw new Error('of another');
      return sealed.slice(owner.length);
    },
  });
  const first = await openDataKey(keys('me:'), kept);
  expect(file.sealed).toBe(`me:${first.key}`);
  expect(await openDataKey(keys('me:'), kept)).toEqual({ key: first.key, isKept: true });
  expect((await openDataKey(keys('you:'), kept)).key).not.toBe(first.key);
  const before = file;
  expect((await openDataKey(keys('me:', false), kept)).isKept).toBe(false);
  expect(file).toBe(before);
  const full = { read: () => ({ sealed: '' }), write: () => Promise.reject(new Error('ENOSPC')) };
  expect((await openDataKey(keys('me:'), full)).isKept).toBe(false);
});
