import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** The zxcvbn score of a password, 0 to 4. Megabytes of common passwords: loaded on demand. */
export function strengthOf(password: string, known: string[]): number {
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }).check(password, known).score;
}
