import { expect, test } from 'vitest';
import type { OutputLine } from './output-watch.ts';
import { classifyLine, OutputWatch } from './output-watch.ts';

const STAMP = '2026/08/01 12:00:00.123456';

test.each<[string, OutputLine]>([
  [`${STAMP} [Warning] core: started`, { level: 'warning', text: 'core: started' }],
  [`${STAMP} [Info] x: failed to dial`, { level: 'error', text: 'x: failed to dial' }],
  [`${STAMP} [Info] tls handshake error, failed`, { level: 'debug', text: 'tls handshake error, failed' }],
  [`${STAMP} [Odd] y`, { level: 'info', text: 'y' }],
  [`${STAMP} from 1.2.3.4:5 accepted tcp:a:1`, { level: 'info', text: `${STAMP} from 1.2.3.4:5 accepted tcp:a:1` }],
  ['Failed to start: z', { level: null, text: 'Failed to start: z' }],
])('%s', (line, wanted) => {
  expect(classifyLine(line)).toEqual(wanted);
});

test('lines are reassembled wherever they were cut, with either line end', () => {
  const text = `${STAMP} [Info] one\r\nFailed to start: two\nlast`;
  for (let size = 1; size <= text.length; size += 3) {
    const seen: string[] = [];
    const watch = new OutputWatch((line) => seen.push(line.text));
    for (let at = 0; at < text.length; at += size) watch.push('stdout', text.slice(at, at + size));
    watch.finish();
    expect(seen).toEqual(['one', 'Failed to start: two', 'last']);
    expect(watch.lastPlain()).toBe('last');
  }
});

test('keeps a bounded number of lines', () => {
  const watch = new OutputWatch(() => undefined, 3);
  watch.push('stdout', 'a\nb\nc\nd\n');
  expect(watch.lines()).toEqual(['b', 'c', 'd']);
});

test('a panic is kept from its first line on, without log lines in between', () => {
  const watch = new OutputWatch(() => undefined);
  watch.push('stdout', `${STAMP} [Info] do not panic\n`);
  watch.push('stderr', 'panic: boom\n\ngoroutine 1 [running]:\n');
  watch.push('stdout', `${STAMP} [Info] still logging\n`);
  watch.push('stderr', 'main.main()\n');
  expect(watch.crashText()).toBe('panic: boom\ngoroutine 1 [running]:\nmain.main()');
  expect(watch.crashHeadline()).toBe('panic: boom');
});

test('a log line clears an earlier text that could explain the end', () => {
  const watch = new OutputWatch(() => undefined);
  watch.push('stdout', `odd\n${STAMP} [Info] fine\n`);
  expect(watch.lastPlain()).toBe('');
});
