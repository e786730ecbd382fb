/** Message that asks a panel to stop where signals cannot: on Windows a signal ends a process without a word. */
export const STOP_MESSAGE = 'stop';

/**
 * Calls `stop` once when this process is asked to end: by a signal, by its launcher's message, or because the launcher is
 * gone (an unwatched panel would keep the data folder locked for the next one).
 */
export function onStopRequest(stop: (reason: string) => void): void {
  let isRequested = false;
  const requestStop = (reason: string) => {
    if (isRequested) return;
    isRequested = true;
    stop(reason);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => requestStop(signal));
  process.on('message', (message) => {
    if (message === STOP_MESSAGE) requestStop('launcher');
  });
  if (process.connected) process.once('disconnect', () => requestStop('launcher ended'));
}
