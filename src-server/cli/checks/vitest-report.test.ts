import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { closingLine, failedFiles, longestFiles, readTestCounts, withFilesAgain } from './vitest-report.ts';

let folder: string;
beforeEach(async () => {
  folder = await testFolder();
});

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
  testResults: [
    { name: '/here/a.test.ts', status: 'passed', startTime: 0, endTime: 40, assertionResults: [{ status: 'passed' }] },
  ],
};

describe('readTestCounts', () => {
  it('adds up what ran, in one line', async () => {
    expect(await counts(green)).toEqual({
      passed: 5,
      failed: 0,
      skipped: 2,
      failures: [],
      files: [{ name: '/here/a.test.ts', ms: 40, passed: 1, skipped: 0, isFailed: false }],
    });
    expect(closingLine(await counts(green))).toBe('5 passed, 0 failed, 2 skipped');
  });

  it('never calls a failed run a success', async () => {
    const failed = { status: 'failed', assertionResults: [{ status: 'failed' }] };
    const broken = { status: 'failed', assertionResults: [] };
    expect(await counts({ ...green, success: false, numFailedTests: 1, testResults: [failed, broken] })).toMatchObject({
      failed: 2,
    });
    expect(await counts({ ...green, success: false })).toMatchObject({ failed: 1 });
    expect(await counts('not json')).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
    expect(await readTestCounts(join(folder, 'none.json'))).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
  });

  it('names failures with the beginning of their reason, without colours', async () => {
    const { failures } = await counts({
      ...green,
      success: false,
      numFailedTests: 1,
      testResults: [
        {
          name: 'a.test.ts',
          status: 'failed',
          assertionResults: [
            { status: 'passed', fullName: 'fine', failureMessages: [] },
            {
              status: 'failed',
              fullName: 'adds up',
              failureMessages: [`\u001B[31mexpected 1\u001B[39m${'\nat line'.repeat(50)}`],
            },
          ],
        },
        { name: 'b.test.ts', status: 'failed', message: 'cannot be loaded', assertionResults: [] },
      ],
    });
    expect(failures[0]).toBe('b.test.ts\n    cannot be loaded');
    expect(failures[1]).toMatch(/^a\.test\.ts: adds up\n {4}expected 1\n/);
    expect(failures[1]!.split('\n').length).toBeLessThan(20);
    expect(failures).toHaveLength(2);
  });
});

it('counts the second run of files that ran again', async () => {
  const file = (name: string, ...statuses: string[]) => ({
    name,
    status: statuses.includes('failed') ? 'failed' : 'passed',
    assertionResults: statuses.map((status) => ({ status, fullName: status })),
  });
  const first = await counts({
    success: false,
    numPassedTests: 4,
    numFailedTests: 1,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [
      file('a.e2e.ts', 'passed', 'passed'),
      file('b.e2e.ts', 'passed', 'failed', 'skipped'),
      file('b.e2e.ts', 'passed'),
    ],
  });
  expect(failedFiles(first)).toEqual(['b.e2e.ts']);
  const again = await counts({ ...green, numPassedTests: 4, numPendingTests: 0, numTodoTests: 0 });
  expect(withFilesAgain(first, again)).toMatchObject({ passed: 6, failed: 0, skipped: 0, failures: [] });
});

it('names the twenty files that took longest, the slowest first', () => {
  const files = Array.from({ length: 30 }, (_, at) => ({ name: `/here/${at}.test.ts`, ms: at * 1_000 }));
  const lines = longestFiles(files, '/here/').split('\n');
  expect(lines).toHaveLength(20);
  expect(lines[0]).toBe('   29.0 s  29.test.ts');
});
