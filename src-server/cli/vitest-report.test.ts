import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closingLine, readTestCounts } from './vitest-report.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function counts(report: unknown) {
  const file = join(folder, 'report.json');
  await writeFile(file, typeof report === 'string' ? report : JSON.stringify(report));
  return readTestCounts(file);
}
const green = {
  success: true,
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }],
};

describe('readTestCounts', () => {
  it('adds up what ran, and says it in one line', async () => {
    expect(await counts(green)).toEqual({ passed: 5, failed: 0, skipped: 2 });
    expect(closingLine(await counts(green))).toBe('5 passed, 0 failed, 2 skipped');
  });

  it('never calls a failed run a success', async () => {
    const failed = { status: 'failed', assertionResults: [{ status: 'failed' }] };
    const broken = { status: 'failed', assertionResults: [] };
    expect(await counts({ ...green, success: false, numFailedTests: 1, testResults: [failed, broken] })).toMatchObject({
      failed: 2,
    });
    expect(await counts({ ...green, success: false })).toMatchObject({ failed: 1 });
    expect(await counts('not json')).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(await readTestCounts(join(folder, 'none.json'))).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});
