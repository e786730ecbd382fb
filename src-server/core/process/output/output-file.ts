import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

const READ_BYTES = 64 * 1024;
/** Bytes read per poll: a core that logs heavily must not hold up the event loop. */
const LOOK_BYTES = 8 * READ_BYTES;
/** A longer file is emptied once it has been read to its end. */
const MAX_READ_BYTES = 1024 * 1024;
/**
 * A longer file is emptied even if it was not read to its end: a core that writes faster than the panel reads must not
 * fill the disk. The output says how much was lost.
 */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const EVERY_MS = 200;
/** After this many polls without output the core is polled less often: most are silent for hours. */
const QUIET_LOOKS = 25;
const QUIET_EVERY_MS = 1000;

interface OneFile {
  stream: 'stdout' | 'stderr';
  /** Opened for appending, so that the process continues at the start of an emptied file. */
  writing: number;
  reading: number;
  position: number;
  decoder: StringDecoder;
}

/**
 * Output of a core goes to files (`core.out`, `core.err`) instead of pipes, and the panel follows them. A pipe ends
 * with its reader: after the panel was killed, a logging core would die at its next line, before a new panel could read
 * its counters. The files of a running panel stay small, and after a panel was killed they hold the last output of its
 * core.
 */
export function openOutputFiles(folder: string, push: (stream: 'stdout' | 'stderr', text: string) => void) {
  mkdirSync(folder, { recursive: true });
  const files = [openOne(folder, 'stdout', 'core.out'), openOne(folder, 'stderr', 'core.err')] as const;
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  let isClosed = false;

  /** @returns whether there was anything to read */
  function read(file: OneFile, maxBytes: number): boolean {
    if (fstatSync(file.reading).size === file.position) return false;
    for (let left = maxBytes; left > 0;) {
      const count = readSync(file.reading, buffer, 0, Math.min(left, READ_BYTES), file.position);
      if (count === 0) break;
      file.position += count;
      left -= count;
      push(file.stream, file.decoder.write(buffer.subarray(0, count)));
    }
    const { size } = fstatSync(file.reading);
    const isReadToEnd = size <= file.position;
    if (size <= (isReadToEnd ? MAX_READ_BYTES : MAX_FILE_BYTES)) return true;
    if (!isReadToEnd) push(file.stream, `\n[${size - file.position} bytes of output skipped]\n`);
    ftruncateSync(file.reading, 0);
    file.position = 0;
    return true;
  }

  let timer: NodeJS.Timeout | undefined;
  function lookAgain(quietLooks: number): void {
    const afterMs = quietLooks < QUIET_LOOKS ? EVERY_MS : QUIET_EVERY_MS;
    timer = setTimeout(() => {
      const found = files.map((file) => read(file, LOOK_BYTES));
      lookAgain(found.includes(true) ? 0 : quietLooks + 1);
    }, afterMs);
    timer.unref();
  }
  lookAgain(0);

  return {
    /** Passed to the process as its stdout and stderr; released with {@link handedOver}. */
    descriptors: { stdout: files[0].writing, stderr: files[1].writing },
    /** The process has its own copies of the descriptors by now, or will never start. */
    handedOver(): void {
      for (const { writing } of files) closeSync(writing);
    },
    /** Reads the rest and closes the files. */
    close(): void {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(timer);
      for (const file of files) {
        read(file, MAX_FILE_BYTES);
        closeSync(file.reading);
      }
    },
  };
}

/** Drops the last output of an earlier core: it has been read, or its reader is gone. */
function openOne(folder: string, stream: OneFile['stream'], name: string): OneFile {
  const path = join(folder, name);
  const writing = openSync(path, 'a', 0o600);
  const reading = openSync(path, 'r+');
  ftruncateSync(reading, 0);
  return { stream, writing, reading, position: 0, decoder: new StringDecoder('utf8') };
}
