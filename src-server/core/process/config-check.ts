import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../contract/domain-error.ts';
import type { JsonObject } from '../config/source.ts';
import type { CommandResult } from '../binary/run-command.ts';
import { writeConfigFile } from './config-file.ts';
import { reasonOf, warningsOf } from './output/core-text.ts';

/** Runs the core's executable with the environment of this panel's core. */
export type RunCore = (args: readonly string[], timeoutMs?: number) => Promise<CommandResult>;

/** Empty text: the core would load this config. @throws {DomainError} `core.noVerdict` */
export type CheckConfig = (config: JsonObject) => Promise<string>;

/** The core's verdict on a config. */
export interface ConfigReport {
  /** Empty when the core would load it. */
  refusal: string;
  warnings: string[];
}

const TEST_MS = 30_000;
const MAX_READS = 4;
/** Text that the core logs before anything else. */
const FIRST_LINE = 'Reading config';

/** `run -test`: the only validator that fits the installed version. It binds no port. */
export function createConfigCheck(run: RunCore, folder: string): CheckConfig {
  const report = createConfigReport(run, folder, 1);
  return async (config) => (await report(config)).refusal;
}

/**
 * The same, with the core's warnings. It logs them concurrently and does not wait for them when it exits: a run whose
 * first line is missing has lost them, and is repeated.
 */
export function createConfigReport(run: RunCore, folder: string, maxReads = MAX_READS) {
  return async (config: JsonObject): Promise<ConfigReport> => {
    const path = join(folder, `test-${randomUUID()}.json`);
    try {
      await writeConfigFile(path, config);
      for (let reads = 1; ; reads++) {
        const result = await run(['run', '-test', '-c', path], TEST_MS);
        requireVerdict(result);
        if (result.exitCode !== 0) return { refusal: refusalOf(result), warnings: [] };
        if (result.stdout.includes(FIRST_LINE) || reads >= maxReads)
          return { refusal: '', warnings: warningsOf(result.stdout) };
      }
    } finally {
      await rm(path, { force: true });
    }
  };
}

/** A core that was killed, lacked memory or was too slow has said nothing about the config. @throws {DomainError} `core.noVerdict` */
export function requireVerdict({ exitCode, timedOut }: CommandResult): void {
  if (exitCode !== null) return;
  const how = timedOut ? `took longer than ${TEST_MS / 1000} s` : 'was killed or lacked memory';
  throw new DomainError('core.noVerdict', { text: `its test of the config ${how}` });
}

function refusalOf({ exitCode, stdout, stderr }: CommandResult): string {
  // A panic goes to stderr, everything else to stdout.
  return reasonOf(exitCode === 2 ? stderr || stdout : stdout || stderr);
}
