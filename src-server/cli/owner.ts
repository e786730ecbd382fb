import { statSync, type Stats } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a command of root one of the user whose panel this is: files that root leaves in the folder would stop it. On a
 * system without users of this kind, and for everybody but root, nothing happens.
 * @returns whether this process is another user's now
 */
export function becomeOwner(dataDir: string): boolean {
  if (process.geteuid?.() !== 0) return false;
  // Made by the first start or command, and opened by every one after it.
  const owner = statOf(join(dataDir, 'panel.lock')) ?? statOf(dataDir);
  if (owner === undefined || owner.uid === 0) return false;
  const { uid, gid } = owner;
  try {
    (process as unknown as { initgroups(uid: number, gid: number): void }).initgroups(uid, gid);
  } catch {
    // It has no name.
    process.setgroups!([gid]);
  }
  process.setgid!(gid);
  process.setuid!(uid);
  return true;
}

/** Who runs this process. In a container it may be a number that has no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.geteuid?.() ?? '');
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
