import { net, powerMonitor } from 'electron';
import { createNetworkWatch } from './network-watch.ts';

/** How often the network is checked; nothing happens while it is up. */
const LOOK_MS = 5_000;

export interface PowerVerbs {
  /** The machine is about to sleep: counters are read and stored now. */
  sleep(): void;
  /** The machine woke up, or the network came back: everything that waited runs once. */
  wake(): void;
  /** The machine shuts down or the user logs off. Resolves when the panel and its core have stopped. */
  shutdown(): Promise<void>;
}

/** Follows sleep, network and shutdown of the system. */
export function followPower(verbs: PowerVerbs): void {
  const wake = (): void => verbs.wake();
  powerMonitor.on('suspend', () => verbs.sleep());
  powerMonitor.on('resume', wake);
  // Delays the shutdown until the final counters are stored; the system itself limits how long it waits.
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault();
    void verbs.shutdown();
  });
  const network = createNetworkWatch(() => net.isOnline(), wake);
  setInterval(network, LOOK_MS).unref();
}
