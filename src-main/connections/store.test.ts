import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { testFolder } from '../../src-server/testing/for-each-test.ts';
import { openJsonFile } from '../preferences/json-file.ts';
import { ConnectionInput } from './connection.ts';
import { createSecretBox, type KeyStore } from './secrets.ts';
import { carryOverConnections, createConnectionStore, SavedConnections } from './store.ts';

let folder: string;
let damaged: string[];
beforeEach(async () => {
  damaged = [];
  folder = await testFolder();
});

/** Seals by turning text into hex; only the same owner opens it. */
const keys = (owner: string, isTrustworthy = true): KeyStore => ({
  isTrustworthy: async () => isTrustworthy,
  seal: async (text) => owner + Buffer.from(text).toString('hex'),
  open: async (sealed) => {
    if (!sealed.startsWith(owner)) throw new Error('sealed by somebody else');
    return Buffer.from(sealed.slice(owner.length), 'hex').toString();
  },
});

function open(keyStore = keys('me:')) {
  const both = { clock: () => 5000, onDamaged: (keptAs: string) => damaged.push(keptAs) };
  const Sealed = z.record(z.string(), z.string());
  const sealed = openJsonFile({ path: join(folder, 'sealed.json'), schema: Sealed, empty: {}, ...both });
  return createConnectionStore({
    file: openJsonFile({
      path: join(folder, 'connections.json'),
      schema: SavedConnections,
      empty: { connections: [] },
      carryOver: carryOverConnections,
      ...both,
    }),
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
  it('come back in another run, sealed and readable by the owner only', async () => {
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

  it('keep secrets only in memory where nothing protects them', async () => {
    const { id } = await open(keys('me:', false)).save(input());
    await expect(onDisk('sealed.json')).rejects.toThrow(/ENOENT/);
    expect(await open(keys('me:', false)).secrets(id)).toEqual({});
  });

  it('are the newest ones on disk, whichever was sealed first, and none of a removed panel', async () => {
    const sealing: (() => void)[] = [];
    const slow: KeyStore = {
      ...keys('me:'),
      async seal(text) {
        await new Promise<void>((resolve) => sealing.push(resolve));
        return keys('me:').seal(text);
      },
    };
    const { id } = await open().save(input());
    const { id: gone } = await open().save(input({ address: 'https://gone.example/' }));
    const store = open(slow);
    const stored = [store.storeCookies(id, { panel_session: 'old' }), store.storeCookies(id, { panel_session: 'new' })];
    stored.push(store.storeCookies(gone, { panel_session: 'late' }));
    await expect.poll(() => sealing.length).toBe(3);
    await store.remove(gone);
    for (const end of sealing.toReversed()) {
      end();
      await new Promise(setImmediate);
    }
    await Promise.all([...stored, store.storeCookies(gone, { panel_session: 'later' })]);
    expect(await open().secrets(id)).toEqual({ token: 'secret-token', cookies: { panel_session: 'new' } });
    expect(Object.keys(JSON.parse(await onDisk('sealed.json')) as object)).toEqual([id]);
  });

  it('ask again when the key store has changed', async () => {
    const { id } = await open().save(input());
    expect(await open(keys('you:')).secrets(id)).toEqual({});
  });

  it('never give one panel’s secret to another', async () => {
    const store = open();
    const { id } = await store.save(input());
    await store.save(input({ id, token: undefined, name: 'Renamed' }));
    expect(await store.secrets(id)).toEqual({ token: 'secret-token' });
    // The page asks for it instead of saving a panel that could not be signed in to.
    const elsewhere = input({ id, token: undefined, address: 'https://elsewhere.example/' });
    expect(await store.missingSecret(elsewhere)).toBe('token');
    expect(await store.missingSecret(input({ id, token: undefined }))).toBeNull();
    expect(await store.missingSecret(input({ token: undefined }))).toBe('token');
    await store.save(input({ id, token: undefined, address: 'https://evil.example/' }));
    expect(await store.secrets(id)).toEqual({});
  });

  it('go with a panel to another port or path, and not to another host or without encryption', async () => {
    const store = open();
    const { id } = await store.save(input());
    await store.move(id, 'https://box.example:8443/hidden/');
    expect(store.find(id)).toMatchObject({ address: 'https://box.example:8443/hidden/', name: 'Box' });
    expect(await store.secrets(id)).toEqual({ token: 'secret-token' });
    for (const address of ['https://evil.example:8443/hidden/', 'http://box.example:8443/hidden/'])
      await expect(store.move(id, address)).rejects.toThrow('by hand');
  });

  it('export without secrets, import only new ones', async () => {
    const store = open();
    const { id } = await store.save(input());
    const text = store.exportAll();
    expect(text).not.toContain('secret-token');
    expect(text).not.toContain(id);
    expect(await store.importAll(text)).toBe(0);
    await store.remove(id);
    expect(JSON.parse(await onDisk('sealed.json'))).toEqual({});
    expect(await store.importAll(text)).toBe(1);
    expect(store.list()[0]).toMatchObject({ name: 'Box', lastUsedAtMs: 0 });
    await expect(store.importAll('{"kind":"other"}')).rejects.toThrow();
  });

  it('are taken over from an earlier version with their secrets', async () => {
    const { id } = await open().save(input());
    const { connections } = JSON.parse(await onDisk('connections.json')) as SavedConnections;
    await writeFile(join(folder, 'connections.json'), JSON.stringify(connections, null, 2));
    expect(open().list()).toEqual(connections);
    expect(JSON.parse(await onDisk('connections.json'))).toEqual({ connections });
    expect(await open().secrets(id)).toEqual({ token: 'secret-token' });
    expect(damaged).toEqual([]);
  });

  it('stay when another one in the file is damaged', async () => {
    const { id } = await open().save(input());
    const text = await onDisk('connections.json');
    const { connections } = JSON.parse(text) as { connections: object[] };
    await writeFile(
      join(folder, 'connections.json'),
      JSON.stringify({ connections: [{ ...connections[0], id: 'odd', color: 'of-a-newer-version' }, ...connections] }),
    );
    expect(open().list()).toMatchObject([{ id, name: 'Box' }]);
    expect(damaged).toHaveLength(1);
  });

  it.each([
    ['a slash is added', 'a'.repeat(480)],
    ['its letters are encoded', 'ш'.repeat(160)],
  ])('are refused when their address is too long once %s: it could not be read again', (_, path) => {
    const address = `https://box.example/${path}`;
    expect(address.length).toBeLessThanOrEqual(500);
    const draft = { ...input(), address };
    expect(ConnectionInput.safeParse(draft).error?.issues.map(({ path: at }) => at)).toEqual([['address']]);
    expect(ConnectionInput.safeParse({ ...draft, address: address.slice(0, -80) }).success).toBe(path.startsWith('a'));
  });

  it('in a damaged file are kept aside, and the list starts empty', async () => {
    await writeFile(join(folder, 'connections.json'), '[{"id":1');
    expect(open().list()).toEqual([]);
    expect(damaged).toEqual(['connections.damaged-1970-01-01T00-00-05.json']);
    expect(await onDisk(damaged[0] ?? '')).toBe('[{"id":1');
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
