import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/**
 * The next line of stdin, whether or not more follows. At a terminal it is asked for, and what is typed does not show.
 * @returns empty when stdin has ended
 */
export async function readLine(
  stdin: NodeJS.Process['stdin'],
  stderr: NodeJS.WritableStream,
  what: string,
): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY });
  // After the terminal has stopped showing what is typed.
  if (stdin.isTTY) stderr.write(`${what}: `);
  // Ctrl+C ends the command; without this it would be an empty line.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const line = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
  });
  lines.close();
  if (stdin.isTTY) stderr.write('\n');
  return line;
}
