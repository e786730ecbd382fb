import { expect } from 'vitest';

/** Prints a measured figure beside the test that measured it. */
export function report(line: string): void {
  process.stdout.write(`    ${line}\n`);
}

/** Prints a duration. Only `npm run soak -- timings`, which has the machine to itself, fails when it was too long. */
export function reportTime(what: string, ms: number, limitMs: number): void {
  report(`${what}: ${Math.round(ms)} ms, at most ${limitMs} wanted`);
  if (process.env['TIMES_ARE'] === 'asserted') expect(ms, what).toBeLessThan(limitMs);
}
