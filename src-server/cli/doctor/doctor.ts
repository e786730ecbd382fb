import { databaseOf } from '../database-note.ts';
import { hasDatabaseFile, isPanelRunning } from '../open-folder.ts';
import { checkCertificates } from './certificates.ts';
import { checkCore } from './core.ts';
import { checkDatabase, readForDoctor } from './database.ts';
import { checkFiles } from './files.ts';
import { fine, todo, type Finding } from './finding.ts';
import { checkJournal } from './journal.ts';
import { checkMachine } from './machine.ts';
import { checkNetwork } from './network.ts';
import { checkPorts } from './ports.ts';

export interface DoctorOptions {
  dataDir: string;
  /** Executable of the core, when the panel is started with one. */
  core: string | undefined;
  say: (line: string) => void;
}

/**
 * Checks everything a panel needs and changes nothing.
 * @returns 0 when all is well, 1 when something needs attention.
 */
export async function runDoctor({ dataDir, core, say }: DoctorOptions): Promise<number> {
  let isWell = true;
  const tell = async (check: () => Promise<Finding[]>) => {
    for (const { ok, text } of await check()) {
      isWell &&= ok;
      say(`${ok ? 'ok  ' : 'fix '} ${text}`);
    }
  };
  if ((await databaseOf(dataDir, null)) === null && !hasDatabaseFile(dataDir)) {
    await tell(async () => [
      todo(`There is no panel in ${dataDir}. Start one there, or name its folder: --data-dir DIR`),
    ]);
    return 1;
  }
  const isRunning = isPanelRunning(dataDir);
  await tell(async () => [fine(isRunning ? 'The panel is running.' : 'The panel is not running.')]);
  await tell(checkMachine);
  const found = await checkDatabase(dataDir);
  await tell(async () => found.findings);
  if (found.isReadable) {
    const read = await readForDoctor(dataDir);
    await tell(async () => read.findings);
    await tell(() => checkJournal(dataDir));
    await tell(() => checkPorts(dataDir, read.settings, isRunning));
    await tell(() => checkCertificates(read.settings));
    await tell(() => checkNetwork(dataDir, read.settings));
    await tell(() => checkCore(dataDir, core, read.template));
  }
  await tell(() => checkFiles(dataDir));
  return isWell ? 0 : 1;
}
