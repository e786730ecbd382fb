import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Moments at which the tests kill the panel, each in every run. The state after each is asserted in e2e/kills. */
export const FAILPOINTS = [
  // A change of clients: at the end of its transaction, before the core knows of it, before the answer.
  'change.committing',
  'change.committed',
  'change.applied',
  // A change that was asked for: its entry in the journal is written, with it in one transaction.
  'journal.committing',
  // A reading of the counters.
  'tick.read',
  'tick.committing',
  'tick.committed',
  // A backup, before it gets its name.
  'backup.copied',
  // A database that takes the place of the panel's, and the way back.
  'import.prepared',
  'import.staged',
  'import.waiting',
  'import.backedUp',
  'import.tried',
  'import.logSettled',
  'import.putIn',
  'import.confirming',
  'import.undone',
  // Files of the core that take the place of others.
  'exchange.kept',
  'exchange.begun',
  'exchange.half',
  'exchange.placed',
  'exchange.committed',
  // A certificate that an authority has signed: before its file is written, and before that is noted.
  'certificate.signed',
  'certificate.written',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

/** A folder in which a file of the name of a point arms it. Only the tests set this; there is no other way to arm one. */
const folder = process.env['PANEL_FAILPOINTS'];

/** Kills the process when this point is armed, which it is once: its file goes first. Nothing at all in a real panel. */
export const failpoint: (name: Failpoint) => void =
  folder === undefined
    ? () => undefined
    : (name) => {
        const file = join(folder, name);
        if (!existsSync(file)) return;
        rmSync(file);
        process.kill(process.pid, 'SIGKILL');
      };
