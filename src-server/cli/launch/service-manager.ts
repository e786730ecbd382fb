import { spawn } from 'node:child_process';

/**
 * Tells systemd that the panel answers and, where the unit wants it, twice per period that its event loop still turns
 * (sd_notify(3)). Node has no such sockets, so `systemd-notify` sends the messages. Does nothing where no one listens.
 * @returns stops it
 */
export function notifyServiceManager(env: NodeJS.ProcessEnv = process.env): () => void {
  if (env['NOTIFY_SOCKET'] === undefined) return () => undefined;
  notify('--ready');
  const periodMs = Number(env['WATCHDOG_USEC'] ?? 0) / 1000;
  const alive = periodMs > 0 ? setInterval(() => notify('WATCHDOG=1'), periodMs / 2).unref() : undefined;
  return () => clearInterval(alive);
}

function notify(word: string): void {
  // Without the program the unit's timeout expires, and the system journal shows it.
  spawn('systemd-notify', [word], { stdio: 'ignore' }).on('error', () => undefined);
}
