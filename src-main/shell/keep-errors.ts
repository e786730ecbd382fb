import { appendFileSync, statSync, truncateSync } from 'node:fs';

const MAX_BYTES = 256 * 1024;

/**
 * Writes unexpected errors of this process into a file of bounded size. They do not end the application: a panel that
 * serves clients must not stop because of its window, and Electron's default, a dialog, would block everything until it
 * is closed.
 */
export function keepErrors(file: string): void {
  const keep = (error: unknown): void => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    try {
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) truncateSync(file);
      appendFileSync(file, `${new Date().toISOString()} ${text}\n`, { mode: 0o600 });
    } catch {
      // A full disk: the error is lost.
    }
  };
  process.on('uncaughtException', keep);
  process.on('unhandledRejection', keep);
}
