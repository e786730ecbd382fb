import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { unzip } from 'fflate';
import { coreEnvironment } from './child-env.ts';
import { checkCore, CORE_FILE } from './locate.ts';

const MAX_BYTES = 200 * 1024 * 1024;

/** An archive or executable that cannot be used; the message is for the operator. */
export class InstallError extends Error {
  constructor(text: string, options?: ErrorOptions) {
    super(text, options);
    this.name = 'InstallError';
  }
}

/** The executable and the geo files of a release archive, by name. @throws {InstallError} */
export async function unpackRelease(archive: string): Promise<Map<string, Uint8Array>> {
  const bytes = await readFile(archive);
  const files = await new Promise<Record<string, Uint8Array>>((resolve, reject) => {
    let total = 0;
    const filter = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
      const isWanted = name === CORE_FILE || name === 'wintun.dll' || /^[A-Za-z0-9._-]+\.dat$/.test(name);
      total += isWanted ? originalSize : 0;
      return isWanted && total <= MAX_BYTES;
    };
    unzip(bytes, { filter }, (error, entries) =>
      error ? reject(new InstallError(`${basename(archive)}: ${error.message}`)) : resolve(entries),
    );
  });
  if (files[CORE_FILE] === undefined)
    throw new InstallError(`${basename(archive)} holds no ${CORE_FILE} of an acceptable size`);
  return new Map(Object.entries(files));
}

/**
 * Puts an executable into `folder`, replacing the one there only after it has answered with an acceptable version.
 * Returns that version. @throws {InstallError} when the new one fails; the old one is untouched
 */
export async function installBinary(content: Uint8Array, folder: string): Promise<{ path: string; version: string }> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, CORE_FILE);
  // Windows only runs files with this ending.
  const candidate = join(folder, `new-${randomUUID()}-${CORE_FILE}`);
  try {
    await writeFile(candidate, content, { mode: 0o755 });
    await chmod(candidate, 0o755);
    const found = await checkCore(candidate, coreEnvironment(process.env, { assetDir: folder, certDir: folder }));
    if (!found.ok) throw new InstallError(found.text.replaceAll(candidate, 'the new core'));
    await replaceFile(candidate, path);
    return { path, version: found.version };
  } finally {
    await rm(candidate, { force: true });
  }
}

/** Adds the other files of a release; existing geo files are newer, or the operator's own. */
export async function installCompanions(files: ReadonlyMap<string, Uint8Array>, folder: string): Promise<void> {
  for (const [name, content] of files) {
    const path = join(folder, name);
    if (name === CORE_FILE || (await exists(path))) continue;
    const temp = join(folder, `new-${randomUUID()}`);
    await writeFile(temp, content, { mode: 0o644 });
    await utimes(temp, 0, 0);
    await rename(temp, path);
  }
}

async function replaceFile(from: string, to: string): Promise<void> {
  // A running executable cannot be overwritten on Windows, but it can be renamed.
  if (process.platform === 'win32' && (await exists(to))) {
    await rm(`${to}.old`, { force: true }).catch(() => undefined);
    await rename(to, `${to}.old`);
  }
  await rename(from, to);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
