import { open } from 'node:fs/promises';

const BLOCK_BYTES = 64 * 1024;
const MAX_BYTES = 8 * 1024 * 1024;
/** Bytes kept of one line; the rest is dropped. */
const LONGEST_LINE = 16 * 1024;
const NEWLINE = 0x0a;

/**
 * The lines of a file from its end, newest first, read in blocks: a large log costs only the lines that are wanted, and
 * the event loop is free between two blocks. Reads 8 MiB at most; a missing file has no lines.
 */
export async function* linesFromEnd(path: string): AsyncGenerator<string[]> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (file === null) return;
  try {
    const { size } = await file.stat();
    const lowest = Math.max(0, size - MAX_BYTES);
    /** Pieces of a line whose beginning is not read yet, in order. */
    let tail: Buffer[] = [];
    for (let end = size; end > lowest;) {
      const start = Math.max(lowest, end - BLOCK_BYTES);
      const block = Buffer.alloc(end - start);
      const { bytesRead } = await file.read(block, 0, block.length, start);
      end = start;
      let upTo = bytesRead;
      const lines: string[] = [];
      for (let at = block.lastIndexOf(NEWLINE, upTo - 1); at >= 0 && upTo > 0;) {
        lines.push(textOf([block.subarray(at + 1, upTo), ...tail]));
        tail = [];
        upTo = at;
        at = upTo === 0 ? -1 : block.lastIndexOf(NEWLINE, upTo - 1);
      }
      tail.unshift(block.subarray(0, upTo));
      if (lines.length > 0) yield lines;
    }
    // A line that begins before the limit is cut.
    if (lowest === 0 && tail.length > 0) yield [textOf(tail)];
  } finally {
    await file.close();
  }
}

function textOf(pieces: readonly Buffer[]): string {
  const line = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  return line.subarray(0, LONGEST_LINE).toString('utf8').replace(/\r$/, '');
}
