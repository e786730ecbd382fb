import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { BackupView } from '../bridge/contract.ts';

const NAME = /^panel-(\d{13})-[a-z]+\.db$/;
export const BackupName = z.string().regex(NAME);

/** The automatic backups of this computer's panel, newest first; read here because the panel may not run. */
export async function listBackups(dataDir: string): Promise<BackupView[]> {
  const folder = join(dataDir, 'backups');
  const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name));
  const found = names.map(async (name) => {
    const { size } = await stat(join(folder, name));
    return { name, takenAtMs: Number(NAME.exec(name)![1]), bytes: size };
  });
  return (await Promise.all(found)).sort((a, b) => b.takenAtMs - a.takenAtMs);
}
