import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** What zxcvbn makes of a password, 0 to 4. Megabytes of common passwords: loaded when it is asked. */
export function strengthOf(password: string, known: string[]): number {
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }).check(password, known).score;
}
