import type { Publish } from '../../contract/events.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Core } from '../../core/core.ts';
import type { ServedCertificates, ServerStatus } from './contract.ts';
import type { StatusFeed } from './status-feed.ts';

export interface ServerServiceDeps {
  core: Pick<Core, 'assembled' | 'stop' | 'restart'>;
  feed: Pick<StatusFeed, 'current'>;
  publish: Publish;
  /** Certificate and key of the web port. */
  webCertFiles: () => { webCertFile: string; webKeyFile: string };
  /** Addresses of the panel for other devices, best first. */
  lanAddresses: () => string[];
  /** IP addresses of this machine, public ones first. */
  ownHosts: () => string[];
  certificates: () => Promise<ServedCertificates[]>;
}
export type ServerService = ReturnType<typeof createServerService>;

export function createServerService(deps: ServerServiceDeps) {
  const { core, feed, publish, webCertFiles, lanAddresses, ownHosts, certificates } = deps;
  return {
    status: (): ServerStatus => feed.current(),

    webCertFiles: (): { webCertFile: string; webKeyFile: string } => webCertFiles(),

    reachability: (): { addresses: string[]; hosts: string[] } => ({ addresses: lanAddresses(), hosts: ownHosts() }),

    certificates: (): Promise<ServedCertificates[]> => certificates(),

    config: (): Promise<JsonObject> => core.assembled(),

    /**
     * Stops the core by hand: it stays stopped until {@link restartCore} or the next start of the panel.
     * @throws {DomainError} `core.notRunning`
     */
    async stopCore(): Promise<null> {
      await core.stop();
      publish({
        type: 'notification',
        title: 'Core stopped',
        body: 'It stays down until it is started by hand.',
        severity: 'warning',
      });
      return null;
    },

    /**
     * Starts or restarts the core.
     * @throws {DomainError} `core.configInvalid` and `core.notInstalled`: nothing was stopped; `core.startFailed`
     */
    async restartCore(): Promise<null> {
      await core.restart('asked for by hand');
      publish({ type: 'notification', title: 'Core restarted', body: '', severity: 'success' });
      return null;
    },
  };
}
