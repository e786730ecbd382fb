import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordingLogger } from '../../testing/test-store.ts';
import { inspectKeyFile, openSecrets, peekSecrets, type KeyStore } from './secret-key.ts';

let dataDir: string;
let log: ReturnType<typeof recordingLogger>;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  log = recordingLogger();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const open = (keyStore?: KeyStore) =>
  openSecrets({ dataDir, log, clock: () => 1234, ...(keyStore === undefined ? {} : { keyStore }) });
const keyFile = () => join(dataDir, 'secret.key');
const heard = () => log.lines.map(({ level, event }) => `${level} ${event}`);

function osKeyStore(): KeyStore & { key: Uint8Array | null } {
  const store = {
    key: null as Uint8Array | null,
    read: async () => store.key,
    async write(key: Uint8Array) {
      store.key = key;
    },
  };
  return store;
}

describe('secrets', () => {
  it('opens what it sealed, also after a restart, and never seals alike twice', async () => {
    const text = 'pässword\n🔑'.repeat(100);
    const first = await open();
    const sealed = first.seal('smtpPassword', text);
    expect(sealed).toMatch(/^v1:[A-Za-z0-9+/]+=*$/);
    expect(first.seal('smtpPassword', text)).not.toBe(sealed);
    expect((await open()).open('smtpPassword', sealed)).toBe(text);
    expect([first.seal('x', ''), first.open('x', '')]).toEqual(['', '']);
    expect(heard()).toEqual([]);
  });

  it('does not open values sealed under another name, altered, cut or never sealed', async () => {
    const secrets = await open();
    const sealed = secrets.seal('a', 'text');
    const flipped = sealed.slice(0, -3) + (sealed.at(-3) === 'A' ? 'B' : 'A') + sealed.slice(-2);
    for (const other of [flipped, sealed.slice(0, 20), 'v1:', 'v2:AAAA', 'plain text', sealed.slice(3)])
      expect(secrets.open('a', other), other).toBeNull();
    expect(secrets.open('b', sealed)).toBeNull();
  });

  it('leaves a key file alone that cannot be read, and says so', async () => {
    await mkdir(keyFile());
    await expect(open()).rejects.toMatchObject({ code: 'secrets.keyUnreadable', params: { file: keyFile() } });
    await expect(peekSecrets(dataDir)).rejects.toMatchObject({ code: 'secrets.keyUnreadable' });
    expect(await inspectKeyFile(dataDir)).toBe('unreadable');
    expect((await stat(keyFile())).isDirectory()).toBe(true);
  });

  it('makes the key file once, 32 bytes for its owner only, however many start together', async () => {
    const [one, two, three] = await Promise.all([open(), open(), open()]);
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
    expect(await readFile(keyFile())).toHaveLength(32);
    expect(await readdir(dataDir)).toEqual(['secret.key']);
    const sealed = one.seal('a', 'text');
    expect([two.open('a', sealed), three.open('a', sealed)]).toEqual(['text', 'text']);
    expect(await inspectKeyFile(dataDir)).toBe('ok');
  });

  it('restricts a key file that others could read, and reports it', async () => {
    await open();
    await chmod(keyFile(), 0o644);
    expect(await inspectKeyFile(dataDir)).toEqual({ openTo: '0644' });
    await open();
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
    expect(heard()).toEqual(['warn secrets.keyFileWasOpen']);
  });

  it('starts with a new key when the file was lost, replaced or damaged; old secrets read as lost', async () => {
    const sealed = (await open()).seal('a', 'text');
    await rm(keyFile());
    expect(await inspectKeyFile(dataDir)).toBe('missing');
    expect((await open()).open('a', sealed)).toBeNull();
    await writeFile(keyFile(), 'short');
    expect(await inspectKeyFile(dataDir)).toBe('damaged');
    const renewed = await open();
    expect(renewed.open('a', sealed)).toBeNull();
    expect(renewed.open('a', renewed.seal('a', 'again'))).toBe('again');
    expect(heard()).toEqual(['error secrets.damagedKeyFile']);
    expect(await readFile(`${keyFile()}.damaged-1234`, 'utf8')).toBe('short');
  });

  it('keeps the key in the key store of the desktop when there is one; others can then neither open nor seal', async () => {
    const store = osKeyStore();
    const sealed = (await open(store)).seal('a', 'text');
    expect(store.key).toHaveLength(32);
    expect((await open(store)).open('a', sealed)).toBe('text');
    expect(await inspectKeyFile(dataDir)).toBe('inKeyStore');
    const headless = await open();
    expect(headless.open('a', sealed)).toBeNull();
    expect(() => headless.seal('a', 'x')).toThrow('secrets.keyElsewhere');
    expect(heard()).toEqual(['warn secrets.keyElsewhere']);
  });

  it('keeps using the key file of a folder that was headless before', async () => {
    const sealed = (await open()).seal('a', 'text');
    expect((await open(osKeyStore())).open('a', sealed)).toBe('text');
  });
});
