import { afterTest } from '../for-each-test.ts';
import { openBench, type Bench } from './core-bench.ts';

/** A bench of the running test, ended after it. */
export function benchForTest(...overrides: Parameters<typeof openBench>): Bench {
  const opened = openBench(...overrides);
  afterTest(() => opened.end());
  return opened;
}
