import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Text kept in memory while the disk is slow; anything beyond is dropped and counted. */
const MAX_WAITING_CHARACTERS = 8 * 1024 * 1024;

/**
 * A log file with a bounded size: when it is full it becomes `<file>.1`, the one before `.2` and so on; the oldest goes.
 * @param onTrouble called once when writing starts to fail, for example on a full disk. Later lines are tried again.
 */
export function openRotatingFile(options: {
  file: string;
  /** Size in bytes at which a new file begins. */
  maxBytes: number;
  /** Files kept, the current one included. */
  maxFiles: number;
  onTrouble: (error: unknown) => void;
}) {
  const { file, maxBytes, maxFiles, onTrouble } = options;
  let waiting: string[] = [];
  let waitingCharacters = 0;
  let dropped = 0;
  let handle: FileHandle | null = null;
  let size = 0;
  let isFailing = false;
  let work: Promise<void> | null = null;

  async function begin(): Promise<FileHandle> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const opened = await open(file, 'a', 0o600);
    ({ size } = await opened.stat());
    return opened;
  }

  async function rotate(): Promise<void> {
    await handle?.close();
    handle = null;
    await rm(`${file}.${maxFiles - 1}`, { force: true });
    for (let age = maxFiles - 2; age >= 0; age--) {
      const older = age === 0 ? file : `${file}.${age}`;
      if (await exists(older)) await rename(older, `${file}.${age + 1}`);
    }
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const lines = waiting;
      waiting = [];
      waitingCharacters = 0;
      if (dropped > 0) lines.push(`{"level":"warn","event":"log.dropped","fields":{"lines":${dropped}}}\n`);
      dropped = 0;
      try {
        for (const batch of batchesOf(lines, maxBytes)) {
          const bytes = Buffer.from(batch);
          handle ??= await begin();
          if (size > 0 && size + bytes.length > maxBytes) {
            await rotate();
            handle = await begin();
          }
          await handle.write(bytes);
          size += bytes.length;
        }
        isFailing = false;
      } catch (error) {
        if (!isFailing) onTrouble(error);
        isFailing = true;
        await handle?.close().catch(() => undefined);
        handle = null;
      }
    }
    work = null;
  }

  return {
    /** Adds lines in order, in the background. Never throws and never waits. */
    write(line: string): void {
      if (waitingCharacters + line.length > MAX_WAITING_CHARACTERS) {
        dropped++;
        return;
      }
      waiting.push(line);
      waitingCharacters += line.length;
      work ??= drain();
    },
    /** Resolves when everything so far has been passed to the operating system. */
    async close(): Promise<void> {
      await work;
      await handle?.close();
      handle = null;
    },
  };
}

/** Joins lines into pieces that fit one file, so that a burst does not produce an oversized file. */
function* batchesOf(lines: readonly string[], maxBytes: number): Generator<string> {
  let batch = '';
  for (const line of lines) {
    // A UTF-16 unit takes at most three bytes in UTF-8.
    if (batch !== '' && (batch.length + line.length) * 3 > maxBytes) {
      yield batch;
      batch = '';
    }
    batch += line;
  }
  if (batch !== '') yield batch;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
