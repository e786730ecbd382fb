import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE_NAME } from '../../store/open-store.ts';
import { fetchPackage, type ReleasedPackage } from './release-list.ts';
import type { UpdateRequest } from './service-files.ts';
import { debianVersion, installedVersion, isLater, run } from './system.ts';
import { UpdateFailure } from './update-failure.ts';

/** Needed disk space: both versions, and the unpacked files. */
const ROOM_FACTOR = 3;

/** The newest requested package, and the installed one as the way back. @throws {UpdateFailure} */
export async function choosePackages({ version }: UpdateRequest, releases: readonly ReleasedPackage[]) {
  const present = await installedVersion();
  if (present === null) throw new UpdateFailure('The installed package is not whole: run dpkg --configure -a.');
  const before = releases.find((each) => each.version === present);
  if (before === undefined)
    throw new UpdateFailure(`The signed list does not name ${present}, the present version: there is no way back.`);
  let next: ReleasedPackage = before;
  const isWanted = (each: string) =>
    version === '' || each === version || each.startsWith(`${debianVersion(version)}-`);
  for (const each of releases) if (isWanted(each.version) && (await isLater(each.version, next.version))) next = each;
  if (next === before) throw new UpdateFailure(`The signed list names nothing newer than ${present} that is wanted.`);
  return { before, next };
}

/** Checks made before anything is changed. @throws {UpdateFailure} */
export async function requireRoom(cacheDir: string, dataDir: string): Promise<void> {
  const installedBytes = 1024 * Number(await run('dpkg-query', ['-W', '-f=${Installed-Size}', 'switchyard']));
  const database = join(dataDir, DATABASE_NAME);
  const databaseBytes = existsSync(database) ? statSync(database).size : 0;
  for (const [folder, neededBytes] of [
    [cacheDir, installedBytes],
    ['/usr', ROOM_FACTOR * installedBytes],
    [dataDir, 2 * databaseBytes],
  ] as const) {
    const { bavail, bsize } = await statfs(folder);
    const needed = Math.ceil(neededBytes / 1024 ** 2);
    if (bavail * bsize < neededBytes) throw new UpdateFailure(`The disk of ${folder} needs ${needed} MiB of room.`);
  }
}

/** Also checks that a package contains what its name says. @throws {UpdateFailure} */
export async function fetchChecked(
  base: string,
  released: ReleasedPackage,
  folder: string,
): Promise<{ version: string; path: string }> {
  const path = await fetchPackage(base, released, folder);
  const facts = await run('dpkg-deb', ['--showformat=${Package} ${Version}', '--show', path]);
  if (facts !== `switchyard ${released.version}`) throw new UpdateFailure(`${released.file} is package ${facts}.`);
  return { version: released.version, path };
}
