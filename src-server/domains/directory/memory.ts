import * as z from 'zod';
import { DirectoryRun } from './contract.ts';
import type { HiddenSettings } from '../settings/hidden-settings.ts';

const Stored = z.object({
  confirmed: z.string(),
  entries: z.int(),
  losses: z.array(z.object({ atMs: z.int(), gone: z.int(), detached: z.int() })),
  lastDoneAt: z.int(),
  lastRun: DirectoryRun.nullable(),
});
export type DirectoryMemory = z.infer<typeof Stored>;

const NOTHING: DirectoryMemory = { confirmed: '', entries: 0, losses: [], lastDoneAt: 0, lastRun: null };

/** State that runs keep in the database. Unreadable state counts as empty: then the next plan waits for a person. */
export function createMemory(values: HiddenSettings) {
  return {
    async read(): Promise<DirectoryMemory> {
      const text = await values.hidden('directoryMemory');
      try {
        return Stored.parse(JSON.parse(text));
      } catch {
        return NOTHING;
      }
    },
    write: (memory: DirectoryMemory): Promise<void> => values.setHidden('directoryMemory', JSON.stringify(memory)),
  };
}
export type Memory = ReturnType<typeof createMemory>;
