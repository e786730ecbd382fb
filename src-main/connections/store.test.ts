import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { openJsonFile } from '../preferences/json-file.ts';
import { ConnectionInput } from './connection.ts';
import { createSecretBox, type KeyStore } from './secrets.ts';
import { createConnectionStore, SavedConnections } from './store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-store-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Seals by turning text into hex, for its owner only. */
const keys = (owner: string, isTrustworthy = true): KeyStore => ({
  isTrustworthy: async () => isTrustworthy,
  seal: async (text) => owner + Buffer.from(text).toString('hex'),
  open: async (sealed) => {
    if (!sealed.startsWith(owner)) throw new Error('sealed by somebody else');
    return Buffer.from(sealed.slice(owner.length), 'hex').toString();
  },
});

function open(keyStore = keys('me:')) {
  const sealed = openJsonFile(join(folder, 'sealed.json'), z.record(z.string(), z.string()), {});
  return createConnectionStore({
    file: openJsonFile(join(folder, 'connections.json'), SavedConnections, []),
    secrets: createSecretBox(keyStore, sealed),
    clock: () => 5000,
  });
}
const input = (more: object = {}): ConnectionInput =>
  ConnectionInput.parse({
    name: 'Box',
    color: 'teal',
    address: 'https://box.example:2053/base',
    signIn: 'token',
    trust: { mode: 'verify' },
    token: 'secret-token',
    ...more,
  });
const onDisk = async (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

describe('saved connections', () => {
  it('come back in another run, with their secrets sealed and for the owner alone', async () => {
    const { id } = await open().save(input());
    await open().markUsed(id);
    const again = open();
    expect(again.list()).toEqual([
      {
        id,
        name: 'Box',
        color: 'teal',
        address: 'https://box.example:2053/base/',
        signIn: 'token',
        trust: { mode: 'verify' },
        lastUsedAtMs: 5000,
      },
    ]);
    expect(await again.secrets(id)).toEqual({ token: 'secret-token' });
    expect((await onDisk('connections.json')) + (await onDisk('sealed.json'))).not.toContain('secret-token');
    expect((await stat(join(folder, 'sealed.json'))).mode & 0o777).toBe(0o600);
  });

  it('keep secrets in memory only where nothing protects them', async () => {
    const { id } = await open(keys('me:', false)).save(input());
    await expect(onDisk('sealed.json')).rejects.toThrow(/ENOENT/);
    expect(await open(keys('me:', false)).secrets(id)).toEqual({});
  });

  it('ask again when the key store is another one', async () => {
    const { id } = await open().save(input());
    expect(await open(keys('you:')).secrets(id)).toEqual({});
  });

  it('never give the secret of one panel to another', async () => {
    const store = open();
    const { id } = await store.save(input());
    await store.save(input({ id, token: undefined, name: 'Renamed' }));
    expect(await store.secrets(id)).toEqual({ token: 'secret-token' });
    await store.save(input({ id, token: undefined, address: 'https://evil.example/' }));
    expect(await store.secrets(id)).toEqual({});
  });

  it('export without secrets, import what is new', async () => {
    const store = open();
    const { id } = await store.save(input());
    const text = store.exportAll();
    expect(text).not.toContain('secret-token');
    expect(text).not.toContain(id);
    expect(await store.importAll(text)).toBe(0);
    await store.remove(id);
    expect(await onDisk('sealed.json')).toBe('{}');
    expect(await store.importAll(text)).toBe(1);
    expect(store.list()[0]).toMatchObject({ name: 'Box', lastUsedAtMs: 0 });
    await expect(store.importAll('{"kind":"other"}')).rejects.toThrow();
  });

  it('a damaged file is an empty one', async () => {
    await writeFile(join(folder, 'connections.json'), '[{"id":1');
    expect(open().list()).toEqual([]);
  });

  it.each([
    [{ address: 'ftp://box/' }, 'address'],
    [{ address: 'https://user:pass@box/' }, 'address'],
    [{ address: 'https://box/?x=1' }, 'address'],
    [{ name: ' ' }, 'name'],
    [{ trust: { mode: 'pin', fingerprint: 'abc' } }, 'trust.fingerprint'],
    [{ signIn: 'certificate' }, 'signIn'],
    [{ address: 'http://box/', trust: { mode: 'pin', fingerprint: 'a'.repeat(64) } }, 'trust'],
  ])('refuses %j and names the field', (more, field) => {
    const parsed = ConnectionInput.safeParse({ ...input(), ...more });
    expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toEqual([field]);
  });
});
