import { expect, test } from 'vitest';
import { afterEnd, FRESH } from './restart-policy.ts';

test('a core that had been up for 5 s is started at once, every time', () => {
  let state = FRESH;
  for (let crash = 0; crash < 10; crash += 1) {
    const decision = afterEnd(state, { exitCode: 2, respondedForMs: 5_000 });
    expect(decision).toEqual({ kind: 'restart', afterMs: 0, state: FRESH });
    state = decision.state;
  }
});

test('failed starts back off to a minute; a core that answered restarts in half a second, eight times; a proven run resets', () => {
  let state = FRESH;
  const afterDeathAt = (respondedForMs: number) => () => {
    const decision = afterEnd(state, { exitCode: 255, respondedForMs });
    state = decision.state;
    return decision.kind === 'restart' ? decision.afterMs : -1;
  };
  const delays = Array.from({ length: 8 }, afterDeathAt(0));
  expect(delays).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  state = FRESH;
  expect(Array.from({ length: 10 }, afterDeathAt(4_999))).toEqual([...Array<number>(8).fill(500), 5_000, 5_000]);
  expect(afterEnd(state, { exitCode: null, respondedForMs: 9_000 }).state).toEqual(FRESH);
});

test.each([
  [23, 0, 'wait'],
  [2, 0, 'wait'],
  [2, 100, 'restart'],
  [255, 0, 'restart'],
  [0, 0, 'restart'],
  [null, 0, 'restart'],
])('exit code %s after %s ms of answers: %s', (exitCode, respondedForMs, kind) => {
  expect(afterEnd(FRESH, { exitCode, respondedForMs }).kind).toBe(kind);
});
