import { startSqliteThread } from './sqlite/sqlite-thread.ts';

/** `quickCheck` in its own thread. */
export async function checkIntegrity(file: string): Promise<string | null> {
  const thread = startSqliteThread(file, 'readOnly');
  try {
    return await thread.check(file);
  } finally {
    await thread.close();
  }
}
