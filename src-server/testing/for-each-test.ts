import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest';

interface Closable {
  close(): unknown;
}

/**
 * Opens something for every test of the file or `describe` that calls this, and closes it after the test.
 * @returns a proxy for the running test's object
 */
export const forEachTest = <T extends Closable>(open: () => T | Promise<T>): T => standIn(open, beforeEach, afterEach);

/** The same once, for all tests of the file or `describe`. */
export const forAllTests = <T extends Closable>(open: () => T | Promise<T>): T => standIn(open, beforeAll, afterAll);

function standIn<T extends Closable>(
  open: () => T | Promise<T>,
  before: (hook: () => Promise<void>) => void,
  after: (hook: () => Promise<void>) => void,
): T {
  let current: T | undefined;
  before(async () => {
    current = await open();
  });
  after(async () => {
    await current?.close();
    current = undefined;
  });
  return new Proxy({} as T, {
    get: (_none, key) => Reflect.get(current!, key) as unknown,
    set: (_none, key, value) => Reflect.set(current!, key, value),
  });
}

/** A folder of the running test, deleted when it has ended. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Closes what the running test opened when it ends, the last first. */
export function afterTest(...closing: (() => unknown)[]): void {
  for (const close of closing) onTestFinished(async () => void (await close()));
}
