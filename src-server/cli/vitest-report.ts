import { readFile } from 'node:fs/promises';

/** Tests of one run. */
export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

interface VitestReport {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

/**
 * Counts of a report that vitest's JSON reporter wrote. A file that failed before its first test counts as one failure, and
 * so does a run that failed otherwise or left no report, so that "0 failed" always means success.
 */
export async function readTestCounts(file: string): Promise<TestCounts> {
  let report: VitestReport;
  try {
    report = JSON.parse(await readFile(file, 'utf8')) as VitestReport;
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((assertion) => assertion.status !== 'failed'),
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !report.success ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

export function closingLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
