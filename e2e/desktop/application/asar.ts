import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

interface Entry {
  files?: Record<string, Entry>;
  size?: number;
  /** Decimal, counted from the end of the header. */
  offset?: string;
  unpacked?: boolean;
}

export interface ArchivedFile {
  /** With slashes. */
  path: string;
  size: number;
  offset: number;
  /** Beside the archive, in the folder `<archive>.unpacked`. */
  isUnpacked: boolean;
}

/** Reads an application archive. Its head is two pickled numbers and a JSON text of the whole tree. */
export async function readArchive(file: string): Promise<ArchivedFile[]> {
  const handle = await open(file);
  try {
    const head = Buffer.alloc(16);
    await handle.read(head, 0, 16, 0);
    const json = Buffer.alloc(head.readUInt32LE(12));
    await handle.read(json, 0, json.length, 16);
    const start = 8 + head.readUInt32LE(4);
    return list(JSON.parse(json.toString()) as Entry, '', start);
  } finally {
    await handle.close();
  }
}

function list({ files = {} }: Entry, folder: string, start: number): ArchivedFile[] {
  return Object.entries(files).flatMap(([name, entry]) => {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (entry.files !== undefined) return list(entry, path, start);
    const { size = 0, offset = '0', unpacked = false } = entry;
    return [{ path, size, offset: start + Number(offset), isUnpacked: unpacked }];
  });
}

/** Unpacks the files of an archive into a folder. */
export async function extractArchive(file: string, folder: string): Promise<void> {
  const archive = await readFile(file);
  for (const { path, size, offset, isUnpacked } of await readArchive(file)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    const content = isUnpacked
      ? await readFile(join(`${file}.unpacked`, path))
      : archive.subarray(offset, offset + size);
    await writeFile(target, content);
  }
}
