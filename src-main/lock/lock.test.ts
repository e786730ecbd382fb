import { expect, it } from 'vitest';
import { CONFIRM_FIRST } from '../bridge/lock.ts';
import type { PageResponse } from '../protocol/exchange.ts';
import { createBackupKeys } from '../panels/backups/backup-keys.ts';
import { checkChannel, lockedForward } from './lock-calls.ts';
import { createLock, LockFile, NO_LOCK, type Lock } from './lock.ts';
import { openWithPassphrase, sealWithPassphrase } from './passphrase.ts';

const PASSPHRASE = 'a window of my own';
const CHEAP = { N: 2 ** 14, r: 1, p: 1 };
const CHOICES = { idleMin: 15, asksAgain: true, usesSystem: false };

function setUp(kept: LockFile = NO_LOCK) {
  let file = kept;
  const world = {
    nowMs: 1_000_000,
    idleSec: 0,
    hasSystem: false,
    systemSays: true,
    isDiskFull: false,
    changes: [] as boolean[],
  };
  const lock: Lock = createLock({
    file: {
      read: () => file,
      async write(value) {
        if (world.isDiskFull) throw new Error('ENOSPC: no space left on device');
        file = LockFile.parse(value);
      },
    },
    clock: () => world.nowMs,
    idleSec: () => world.idleSec,
    system: {
      isThere: () => world.hasSystem,
      prompt: () => (world.systemSays ? Promise.resolve() : Promise.reject(new Error('refused'))),
    },
    onChange: (isLocked) => world.changes.push(isLocked),
    cost: CHEAP,
  });
  return { lock, world, kept: () => file };
}

async function locked() {
  const made = setUp();
  await made.lock.set({ ...CHOICES, current: '', passphrase: PASSPHRASE });
  made.lock.lock();
  return made;
}

it('locks by hand, when idle and at every start; only the passphrase opens it, and is not kept', async () => {
  const { lock, world, kept } = setUp();
  lock.lock();
  expect(lock.isLocked()).toBe(false);
  await lock.set({ ...CHOICES, current: '', passphrase: PASSPHRASE });
  expect(JSON.stringify(kept())).not.toContain(PASSPHRASE);
  world.idleSec = 15 * 60 - 1;
  lock.lockIdle();
  expect(lock.isLocked()).toBe(false);
  world.idleSec += 1;
  lock.lockIdle();
  expect([lock.isLocked(), world.changes]).toEqual([true, [true]]);
  expect(await lock.authenticate('another')).toMatchObject({ ok: false });
  // An empty passphrase asks the system, which offers no authentication here.
  expect(await lock.authenticate('')).toMatchObject({ ok: false });
  expect(await lock.authenticate(PASSPHRASE)).toEqual({ ok: true, waitMs: 0 });
  expect([lock.isLocked(), world.changes]).toEqual([false, [true, false]]);
  expect(setUp(kept()).lock.isLocked()).toBe(true);
});

it('delays tries longer and longer, also after a restart and with concurrent tries', async () => {
  const { lock, world, kept } = await locked();
  for (let index = 0; index < 3; index += 1) await lock.authenticate('wrong one');
  expect(lock.view().waitMs).toBe(1_000);
  // Even the right one is not checked during the delay.
  expect(await lock.authenticate(PASSPHRASE)).toEqual({ ok: false, waitMs: 1_000 });
  world.nowMs += 1_000;
  const results = await Promise.all(['one', 'two', PASSPHRASE].map((each) => lock.authenticate(each)));
  expect(results.map(({ ok }) => ok)).toEqual([false, false, false]);
  expect(kept().failures).toBe(4);
  const again = setUp(kept());
  again.world.nowMs = world.nowMs;
  expect(again.lock.view().waitMs).toBe(2_000);
  // Setting the clock back neither lengthens nor shortens the delay.
  again.world.nowMs -= 86_400_000;
  expect(again.lock.view().waitMs).toBe(2_000);
  again.world.nowMs += 86_402_000;
  expect(await again.lock.authenticate(PASSPHRASE)).toEqual({ ok: true, waitMs: 0 });
  expect(again.kept().failures).toBe(0);
});

it('opens on a full disk, too, and delays tries there as elsewhere', async () => {
  const { lock, world } = await locked();
  world.isDiskFull = true;
  for (let index = 0; index < 3; index += 1) expect(await lock.authenticate('wrong one')).toMatchObject({ ok: false });
  expect(lock.view().waitMs).toBe(1_000);
  world.nowMs += 1_000;
  expect(await lock.authenticate(PASSPHRASE)).toEqual({ ok: true, waitMs: 0 });
  expect([lock.isLocked(), lock.view().waitMs]).toEqual([false, 0]);
});

it('changes nothing without the current passphrase; accepts the system’s authentication where enabled', async () => {
  const { lock, world, kept } = await locked();
  await lock.authenticate(PASSPHRASE);
  const before = kept().passphrase;
  expect(await lock.set({ ...CHOICES, idleMin: 0, current: '', passphrase: null })).toMatchObject({ ok: false });
  expect(kept().passphrase).toEqual(before);
  world.hasSystem = true;
  expect(await lock.set({ ...CHOICES, usesSystem: true, current: PASSPHRASE })).toMatchObject({ ok: true });
  lock.lock();
  world.systemSays = false;
  expect(await lock.authenticate('')).toMatchObject({ ok: false });
  world.systemSays = true;
  expect(await lock.authenticate('')).toMatchObject({ ok: true });
  expect(await lock.set({ ...CHOICES, current: PASSPHRASE, passphrase: null })).toMatchObject({ ok: true });
  lock.lock();
  expect([lock.isSet(), lock.isLocked()]).toEqual([false, false]);
});

it('a locked window makes no calls; sensitive calls are confirmed first, for two minutes', async () => {
  const { lock, world } = await locked();
  const forwarded: string[] = [];
  const forward = lockedForward(lock, async ({ path }): Promise<PageResponse> => {
    forwarded.push(path);
    return { status: 200, headers: {}, body: Buffer.from('{}') };
  });
  const send = async (path: string): Promise<string> => {
    const { status, headers } = await forward({ method: 'GET', path, headers: {}, body: null });
    return `${status} ${headers['x-error-code'] ?? ''}`.trim();
  };
  expect(await send('/panel/api/server/status')).toBe('423 desktop.locked');
  expect(() => checkChannel(lock, 'panels.show')).toThrow('locked');
  checkChannel(lock, 'lock.answer');
  await lock.authenticate(PASSPHRASE);
  checkChannel(lock, 'maintenance.exportTo');
  expect(await send('/panel/api/server/getDb')).toBe('200');
  world.nowMs += 120_000;
  forwarded.length = 0;
  for (const path of [
    '/panel/api/server/getDb',
    '/panel/api/server/%67etDb?x=1',
    '/panel/api/server/../server/getDb',
    '/panel/api/server/getDb/',
    '/panel/api/clients/links/a%40b',
    '/panel/api/clients/bulkDel',
    '/panel/api/clients/export?',
    '/panel/api/server/%',
  ])
    expect(`${path} ${await send(path)}`).toBe(`${path} 423 ${CONFIRM_FIRST}`);
  expect(forwarded).toEqual([]);
  expect(await send('/panel/api/clients/list/paged?page=1')).toBe('200');
  expect(() => checkChannel(lock, 'connections.exportAll')).toThrow(CONFIRM_FIRST);
  checkChannel(lock, 'connections.list');
  await lock.authenticate(PASSPHRASE);
  expect(await send('/panel/api/clients/bulkDel')).toBe('200');
  await lock.set({ ...CHOICES, asksAgain: false, current: PASSPHRASE });
  world.nowMs += 120_000;
  expect(await send('/panel/api/clients/bulkDel')).toBe('200');
});

it('a passphrase seals for one place, and seals the backup key where there is no key store', async () => {
  const box = await sealWithPassphrase(PASSPHRASE, 'here', 'the content', CHEAP);
  expect(await openWithPassphrase(PASSPHRASE, 'here', box)).toBe('the content');
  await expect(openWithPassphrase('another', 'here', box)).rejects.toThrow();
  await expect(openWithPassphrase(PASSPHRASE, 'there', box)).rejects.toThrow();

  type Kept = Parameters<typeof createBackupKeys>[1];
  let kept: ReturnType<Kept['read']> = { recipient: '', sealed: '', box: null };
  const file: Kept = { read: () => kept, write: async (value) => void (kept = value) };
  const store = (isTrustworthy: boolean) => ({
    isTrustworthy: async () => isTrustworthy,
    seal: async (text: string) => `sealed ${text.length}`,
    open: async () => 'identity 1',
  });
  let made = 0;
  const make = async () => ({ identity: `identity ${(made += 1)}`, recipient: `recipient ${made}` });
  const keys = createBackupKeys(store(false), file, make, CHEAP);
  expect(await keys.state()).toBe('none');
  await expect(keys.ready()).rejects.toThrow('set a passphrase');
  expect(await keys.known()).toBe(null);
  await keys.usePassphrase(PASSPHRASE);
  expect([await keys.state(), await keys.known()]).toEqual([
    'passphrase',
    { recipient: 'recipient 1', identity: 'identity 1' },
  ]);
  expect(JSON.stringify(kept)).not.toContain('identity');
  // After a start backups can be sealed, and opened once it was entered.
  const later = createBackupKeys(store(false), file, make, CHEAP);
  expect([await later.state(), await later.known()]).toEqual(['locked', { recipient: 'recipient 1', identity: '' }]);
  await expect(later.usePassphrase('not this one')).rejects.toThrow('not the passphrase');
  await later.usePassphrase(PASSPHRASE);
  expect(await later.known()).toEqual({ recipient: 'recipient 1', identity: 'identity 1' });

  kept = { recipient: '', sealed: '', box: null };
  const bySystem = createBackupKeys(store(true), file, make, CHEAP);
  expect(await bySystem.state()).toBe('system');
  await Promise.all([bySystem.ready(), bySystem.ready()]);
  expect([made, kept]).toEqual([2, { recipient: 'recipient 2', sealed: 'sealed 10', box: null }]);
});
