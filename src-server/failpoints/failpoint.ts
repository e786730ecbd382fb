import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Moments at which the tests kill the panel, each in every run. The state after each is asserted in e2e/kills. */
export const FAILPOINTS = [
  // A client change: at the end of its transaction, before the core learns of it, before the response.
  'change.committing',
  'change.committed',
  'change.applied',
  // A requested change: its journal entry is written, in one transaction with it.
  'journal.committing',
  // A reading of the counters.
  'tick.read',
  'tick.committing',
  'tick.committed',
  // A backup, before it gets its name.
  'backup.copied',
  // A database that replaces the panel's, and the way back.
  'import.prepared',
  'import.staged',
  'import.waiting',
  'import.backedUp',
  'import.tried',
  'import.logSettled',
  'import.putIn',
  'import.confirming',
  'import.undone',
  // Core files that replace others.
  'exchange.kept',
  'exchange.begun',
  'exchange.half',
  'exchange.placed',
  'exchange.committed',
  // A certificate signed by an authority: before its file is written, and before that is recorded.
  'certificate.signed',
  'certificate.written',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

/** A folder in which a file named like a point arms it. Only the tests set this; there is no other way to arm one. */
const folder = process.env['PANEL_FAILPOINTS'];

/**
 * Kills the process when this point is armed, and only once: its file is removed first. Does nothing in a real panel.
 */
export const failpoint: (name: Failpoint) => void =
  folder === undefined
    ? () => undefined
    : (name) => {
        const file = join(folder, name);
        if (!existsSync(file)) return;
        rmSync(file);
        process.kill(process.pid, 'SIGKILL');
      };
