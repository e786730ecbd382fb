import { checkChain, type ChainBreak } from '../../store/journal/chain.ts';
import { LATEST_VERSION } from '../../store/migrate.ts';
import type { Db } from '../../store/schema.ts';
import { versionOf, withReader } from './database.ts';
import { fine, todo, type Finding } from './finding.ts';

const WHAT: Readonly<Record<ChainBreak['what'], (entryId: number) => string>> = {
  entry: (id) => `entry ${id} is not what was written`,
  rows: (id) => `what entry ${id} says it changed is not what was written`,
  missing: (id) => `entries before ${id} are gone`,
  end: (id) => `entries from ${id} on are gone`,
};

/** Whether the journal is unaltered. */
export function checkJournal(dataDir: string): Promise<Finding[]> {
  return withReader(dataDir, async (db: Db) => {
    if ((await versionOf(db)) !== LATEST_VERSION) return [];
    const { entries, broken } = await checkChain(db);
    if (broken === null) return [fine(`The journal is whole (entries: ${entries}).`)];
    const remedy = 'Something changed the database past the panel; a backup from before has it as it was.';
    return [todo(`The chain of the journal breaks: ${WHAT[broken.what](broken.entryId)}. ${remedy}`)];
  });
}
