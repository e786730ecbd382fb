import { describe, expect, it } from 'vitest';
import { lineAt, readAccess, readPanelLine, toText } from './log-line.ts';
import { mergeTail } from './merge-tail.ts';

const merge = (held: string[], tail: string[], most = 100) =>
  mergeTail(held, tail, { gap: '…', most, isSame: (a, b) => a === b }).join('');

describe('the end of a log, fetched repeatedly', () => {
  it.each([
    ['the first time', '', 'abc', 'abc'],
    ['nothing new', 'abc', 'bc', 'abc'],
    ['the tail is longer than what was held', 'bc', 'abcd', 'bc…abcd'],
    ['two new lines', 'abc', 'bcde', 'abcde'],
    ['equal lines: no more of them than there are', 'xxx', 'xxx', 'xxx'],
    ['equal lines, one more', 'axx', 'xxx', 'axxx'],
    ['more new lines than were fetched', 'abc', 'xyz', 'abc…xyz'],
    ['the log was emptied', 'abc', '', 'abc'],
  ])('%s', (_, held, tail, expected) => expect(merge(held.split(''), tail.split(''))).toBe(expected));

  it('keeps no more than the limit', () => expect(merge('abcd'.split(''), 'cdef'.split(''), 4)).toBe('cdef'));
});

describe('lines', () => {
  it('of the panel have time and level; the core’s lose their mark', () => {
    expect(readPanelLine('2026/01/02 03:04:05 WARNING - CORE: a b')).toEqual({
      time: '2026-01-02T03:04:05',
      level: 'warning',
      text: 'a b',
      kind: null,
    });
    expect(readPanelLine('odd <b>')).toEqual({ time: '', level: null, text: 'odd <b>', kind: null });
  });

  const entry = {
    DateTime: '2026-01-02T23:30:00.000001Z',
    FromAddress: '1.2.3.4:5',
    ToAddress: 'tcp:h:443',
    Inbound: 'in',
    Outbound: 'block',
    Email: 'ann',
    Event: 1,
  };
  it('of an access have this browser’s time and their kind', () => {
    expect(readAccess(entry, () => -60)).toEqual({
      time: '2026-01-03T00:30:00',
      text: '1.2.3.4:5 → tcp:h:443 [in → block] ann',
      level: null,
      kind: 'blocked',
    });
    expect(readAccess({ ...entry, DateTime: '', Outbound: '', Email: '' }, () => 0)).toMatchObject({
      time: '',
      text: '1.2.3.4:5 → tcp:h:443',
    });
  });

  it('are found by their time and saved as a file', () => {
    const lines = ['01', '02', '04'].map((second) => readPanelLine(`2026/01/02 03:04:${second} INFO - x`));
    expect([lineAt(lines, '2026-01-02T03:04:03'), lineAt(lines, '2026-01-02'), lineAt(lines, '2027')]).toEqual([
      2, 0, 2,
    ]);
    expect(toText(lines.slice(0, 1))).toBe('2026-01-02T03:04:01 INFO x');
  });
});
