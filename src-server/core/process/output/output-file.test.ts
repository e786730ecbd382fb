import { appendFileSync, closeSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testFolder } from '../../../testing/for-each-test.ts';
import { openOutputFiles } from './output-file.ts';

let folder: string;
const seen: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' };
const push = (stream: 'stdout' | 'stderr', text: string): void => {
  seen[stream] += text;
};
beforeEach(async () => {
  vi.useFakeTimers();
  folder = await testFolder();
  Object.assign(seen, { stdout: '', stderr: '' });
});
afterEach(() => {
  vi.useRealTimers();
});

test('output is followed per stream, and characters are never cut', () => {
  const files = openOutputFiles(folder, push);
  const euro = Buffer.from('€');
  writeSync(files.descriptors.stdout, euro.subarray(0, 2));
  writeSync(files.descriptors.stderr, 'panic: no\n');
  vi.advanceTimersByTime(200);
  expect(seen).toEqual({ stdout: '', stderr: 'panic: no\n' });
  writeSync(files.descriptors.stdout, euro.subarray(2));
  writeSync(files.descriptors.stdout, ' last words');
  files.handedOver();
  files.close();
  expect(seen.stdout).toBe('€ last words');
});

test('after a silence output is read within a second, and further output as fast as ever', () => {
  const files = openOutputFiles(folder, push);
  vi.advanceTimersByTime(60_000);
  writeSync(files.descriptors.stdout, 'awake\n');
  vi.advanceTimersByTime(1000);
  expect(seen.stdout).toBe('awake\n');
  writeSync(files.descriptors.stdout, 'again\n');
  vi.advanceTimersByTime(200);
  expect(seen.stdout).toBe('awake\nagain\n');
  const looks = vi.getTimerCount();
  files.handedOver();
  files.close();
  expect([looks, vi.getTimerCount()]).toEqual([1, 0]);
});

test('a long file is emptied once it was read, and the process continues at its start', () => {
  const files = openOutputFiles(folder, push);
  const path = join(folder, 'core.out');
  const line = `${'x'.repeat(1023)}\n`;
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 300; i++) writeSync(files.descriptors.stdout, line);
    vi.advanceTimersByTime(200);
  }
  expect(statSync(path).size).toBe(900 * 1024);
  for (let i = 0; i < 300; i++) writeSync(files.descriptors.stdout, line);
  vi.advanceTimersByTime(200);
  expect(statSync(path).size).toBe(0);
  writeSync(files.descriptors.stdout, 'after\n');
  expect(statSync(path).size).toBe(6);
  files.handedOver();
  files.close();
  expect(seen.stdout.length).toBe(1200 * 1024 + 6);
  expect(seen.stdout.endsWith('\nafter\n')).toBe(true);
});

test('a core that writes faster than the panel reads does not fill the disk, and the gap is reported', () => {
  const files = openOutputFiles(folder, push);
  const path = join(folder, 'core.out');
  writeSync(files.descriptors.stdout, Buffer.alloc(17 * 1024 * 1024, 'y'));
  vi.advanceTimersByTime(200);
  expect(statSync(path).size).toBe(0);
  expect(seen.stdout).toContain(`\n[${17 * 1024 * 1024 - 512 * 1024} bytes of output skipped]\n`);
  files.handedOver();
  files.close();
});

test("output of an earlier core is not read as the next one's", () => {
  appendFileSync(join(folder, 'core.err'), 'panic: of yesterday\n');
  const files = openOutputFiles(folder, push);
  closeSync(files.descriptors.stdout);
  closeSync(files.descriptors.stderr);
  files.close();
  expect(seen.stderr).toBe('');
});
