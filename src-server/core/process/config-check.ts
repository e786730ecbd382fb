import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../config/source.ts';
import type { CommandResult } from '../binary/run-command.ts';
import { writeConfigFile } from './config-file.ts';
import { reasonOf } from './core-text.ts';

/** Runs the core's executable with the environment of this panel's core. */
export type RunCore = (args: readonly string[], timeoutMs?: number) => Promise<CommandResult>;

/** Empty text: the core would load this config. */
export type CheckConfig = (config: JsonObject) => Promise<string>;

const TEST_MS = 30_000;

/** `run -test`: the only validator that is right for the installed version. It binds no port. */
export function createConfigCheck(run: RunCore, folder: string): CheckConfig {
  return async (config) => {
    const path = join(folder, `test-${randomUUID()}.json`);
    try {
      await writeConfigFile(path, config);
      const result = await run(['run', '-test', '-c', path], TEST_MS);
      if (result.exitCode === 0) return '';
      if (result.timedOut) return `The core did not finish testing the config within ${TEST_MS / 1000} s.`;
      // A panic goes to stderr, everything else to stdout.
      return reasonOf(result.exitCode === 2 ? result.stderr || result.stdout : result.stdout || result.stderr);
    } finally {
      await rm(path, { force: true });
    }
  };
}
