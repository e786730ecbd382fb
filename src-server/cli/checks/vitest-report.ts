import { readFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';

/** Tests of one run. */
export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
  /** What failed, each with its file and the first lines of the reason. */
  failures: readonly string[];
  /** How long each file took. */
  files: readonly FileTime[];
}

interface FileTime {
  name: string;
  ms: number;
}

/** Enough of a reason to see expected and received values. */
const REASON_LINES = 14;
/** Files named with their time at the end of a run. */
const LONGEST = 20;

interface VitestReport {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: TestFile[];
}

interface TestFile {
  name: string;
  status: string;
  startTime?: number;
  endTime?: number;
  message?: string;
  assertionResults: { status: string; fullName: string; failureMessages?: string[] | null }[];
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
    return { passed: 0, failed: 1, skipped: 0, failures: ['A run left no report.'], files: [] };
  }
  const brokenFiles = report.testResults.filter(isBroken);
  const failed = report.numFailedTests + brokenFiles.length;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !report.success ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [
      ...brokenFiles.map(({ name, message }) => `${name}\n${firstLines(message ?? '')}`),
      ...report.testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === 'failed')
          .map(
            ({ fullName, failureMessages }) => `${name}: ${fullName}\n${firstLines(failureMessages?.join('\n') ?? '')}`,
          ),
      ),
    ],
    files: report.testResults.map(({ name, startTime = 0, endTime = 0 }) => ({ name, ms: endTime - startTime })),
  };
}

/** The files that took longest, a line each. */
export function longestFiles(files: readonly FileTime[], root: string): string {
  const longest = files.toSorted((a, b) => b.ms - a.ms).slice(0, LONGEST);
  return longest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name.replace(root, '')}`).join('\n');
}

/** Whether a file failed outside its tests, while it was loaded for instance. */
const isBroken = ({ status, assertionResults }: TestFile): boolean =>
  status === 'failed' && assertionResults.every((assertion) => assertion.status !== 'failed');

const firstLines = (reason: string): string =>
  stripVTControlCharacters(reason)
    .split('\n')
    .slice(0, REASON_LINES)
    .map((line) => `    ${line}`)
    .join('\n');

export function closingLine({ passed, failed, skipped }: Omit<TestCounts, 'failures' | 'files'>): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
