import { net, powerMonitor } from 'electron';
import { createNetworkWatch } from './network-watch.ts';

/** A network that comes back is looked for this often; nothing happens while it is there. */
const LOOK_MS = 5_000;

export interface PowerVerbs {
  /** The machine is about to sleep: counters are read and stored now. */
  sleep(): void;
  /** The machine woke up, or the network came back: everything that waited is due once. */
  wake(): void;
  /** The machine shuts down or the user logs off. Resolves when the panel and its core have stopped. */
  shutdown(): Promise<void>;
}

/** Follows sleep, network and shutdown of the system. */
export function followPower(verbs: PowerVerbs): void {
  const wake = (): void => verbs.wake();
  powerMonitor.on('suspend', () => verbs.sleep());
  powerMonitor.on('resume', wake);
  // Held up until the final counters are stored; the system itself limits how long it waits.
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault();
    void verbs.shutdown();
  });
  const network = createNetworkWatch(() => net.isOnline(), wake);
  setInterval(network, LOOK_MS).unref();
}
