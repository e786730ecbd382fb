import { readFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';

/** Tests of one run. */
export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
  /** The failures, each with its file and the first lines of the reason. */
  failures: readonly string[];
  files: readonly FileResult[];
}

/** One file in one project. */
interface FileResult {
  name: string;
  ms: number;
  passed: number;
  skipped: number;
  isFailed: boolean;
}

/** Enough lines of a reason to show expected and received values. */
const REASON_LINES = 14;
/** Number of slow files listed with their time at the end of a run. */
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
 * Counts of a report written by vitest's JSON reporter. A file that failed before its first test counts as one failure,
 * and so does a run that failed otherwise or left no report, so that "0 failed" always means success.
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
    files: report.testResults.map(({ name, status, startTime = 0, endTime = 0, assertionResults }) => ({
      name,
      ms: endTime - startTime,
      passed: assertionResults.filter((assertion) => assertion.status === 'passed').length,
      skipped: assertionResults.filter((assertion) => !['passed', 'failed'].includes(assertion.status)).length,
      isFailed: status === 'failed',
    })),
  };
}

/** The files a run failed in; none when it failed otherwise or left no report. */
export const failedFiles = (run: TestCounts): string[] => [
  ...new Set(run.files.filter(({ isFailed }) => isFailed).map(({ name }) => name)),
];

/** A run whose failed files all passed when they ran again: the second results count. */
export function withFilesAgain(first: TestCounts, again: TestCounts): TestCounts {
  const failed = failedFiles(first);
  const left = first.files.filter(({ name }) => failed.includes(name));
  return {
    passed: first.passed - sumOf(left, 'passed') + again.passed,
    failed: 0,
    skipped: first.skipped - sumOf(left, 'skipped') + again.skipped,
    failures: [],
    files: first.files,
  };
}

const sumOf = (files: readonly FileResult[], what: 'passed' | 'skipped'): number =>
  files.reduce((sum, file) => sum + file[what], 0);

/** The slowest files, a line each. */
export function longestFiles(files: readonly Pick<FileResult, 'name' | 'ms'>[], root: string): string {
  const longest = files.toSorted((a, b) => b.ms - a.ms).slice(0, LONGEST);
  return longest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name.replace(root, '')}`).join('\n');
}

/** Whether a file failed outside its tests, for instance while it was loaded. */
const isBroken = ({ status, assertionResults }: TestFile): boolean =>
  status === 'failed' && assertionResults.every((assertion) => assertion.status !== 'failed');

const firstLines = (reason: string): string =>
  stripVTControlCharacters(reason)
    .split('\n')
    .slice(0, REASON_LINES)
    .map((line) => `    ${line}`)
    .join('\n');

export function closingLine({ passed, failed, skipped }: Pick<TestCounts, 'passed' | 'failed' | 'skipped'>): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
