import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readLine } from './read-line.ts';

const stdin = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY }) as PassThrough & NodeJS.Process['stdin'];

describe('a line of stdin', () => {
  it('is read without waiting for the end of stdin', async () => {
    const input = stdin(false);
    const line = readLine(input, new PassThrough(), 'Passphrase');
    input.write('correct horse\r\nsomething else');
    expect(await line).toBe('correct horse');
  });

  it('is empty when stdin has ended, and may lack its end', async () => {
    for (const text of ['', 'staple']) {
      const input = stdin(false);
      const line = readLine(input, new PassThrough(), 'Passphrase');
      input.end(text);
      expect(await line).toBe(text);
    }
  });

  it('is asked for at a terminal, and does not show', async () => {
    const input = stdin(true);
    const stderr = new PassThrough();
    const line = readLine(input, stderr, 'Passphrase');
    input.write('secret\r');
    expect(await line).toBe('secret');
    expect(String(stderr.read())).toBe('Passphrase: \n');
  });
});
