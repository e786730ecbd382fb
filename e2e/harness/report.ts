/** Prints a measured figure beside the test that measured it. */
export function report(line: string): void {
  process.stdout.write(`    ${line}\n`);
}
