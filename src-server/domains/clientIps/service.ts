import { announce } from '../../contract/announce.ts';
import type { Basics } from '../basics.ts';
import type { Timer } from '../../contract/schedule.ts';
import type { AddressBlock } from '../../core/sessions/address-blocks.ts';
import type { Ability } from '../../core/sessions/socket-cutter.ts';
import { foldText } from '../../store/fold-text.ts';
import { createMerge, KEEP_SEC, type SeenList } from './merge.ts';
import { limitNote } from './present.ts';
import * as repository from './repository.ts';
import { createAddressScan, type AddressScanDeps } from './scan.ts';
import { createSightings } from './sightings.ts';
import { createStoredSightings } from './stored-sightings.ts';

const SCAN_MS = 10_000;
const EXPIRE_EVERY_MS = 60_000;

/** The parts of the core that IP limits need. */
export type AddressCore = AddressScanDeps['core'] & {
  readonly sockets: { ability(): Promise<Ability> };
};

export interface ClientIpServiceDeps extends Pick<Basics, 'store' | 'clock' | 'schedule' | 'publish' | 'log'> {
  core: AddressCore;
  /** Closes a client's open connections from an address that no one else uses. */
  cutAt: (blocks: readonly AddressBlock[]) => Promise<void>;
  settings: { current(): { ipLimitAllowlist: string; timeLocation: string } };
  panelGuid: string;
  onlineEmails: () => ReadonlySet<string>;
  /** Who is online on nodes, by the GUID of the panel that serves them. */
  onlineOnNodes: () => Record<string, string[]>;
  platform?: NodeJS.Platform;
}

/**
 * Where clients connect from, and their IP limits. All data comes from the core's statistics of open connections. An
 * address over a client's limit is refused by a rule in the core that names both, so no other client is affected; its
 * open connections are closed one by one where the system allows it.
 */
export function createClientIpService(deps: ClientIpServiceDeps) {
  const { store, core, panelGuid, clock } = deps;
  const platform = deps.platform ?? process.platform;
  const sightings = createSightings(panelGuid, KEEP_SEC * 1000);
  const merge = createMerge(store, clock);
  const scan = createAddressScan({ ...deps, sightings });
  const stored = createStoredSightings(deps);
  const timers: Timer[] = [];

  return {
    /**
     * Looks every ten seconds. @param options.expires whether old sightings are dropped here; another panel may do it
     */
    start({ expires }: { expires: boolean }): void {
      timers.push(deps.schedule.every(SCAN_MS, () => this.scan()));
      if (expires) timers.push(deps.schedule.every(EXPIRE_EVERY_MS, () => this.expire()));
    },
    /** Records where clients are connected from and enforces their limits. One at a time. */
    scan: (): Promise<void> => scan.run(),
    /** Drops what is older than half an hour, and what a clock that was ahead has noted. */
    async expire(): Promise<void> {
      sightings.expire(clock());
      await stored.expire();
    },
    /** False once the running core does not report who is connected. */
    isUsable: (): boolean => scan.isUsable(),
    async status() {
      const { canCut, reason } = await core.sockets.ability();
      const isUsable = scan.isUsable();
      return {
        enabled: true,
        installed: false,
        usable: isUsable,
        windows: platform === 'win32',
        method: 'core' as const,
        cutsConnections: canCut,
        blocked: scan.limits.count(),
        note: limitNote({ isUsable, canCut, whyNot: reason, platform }),
      };
    },
    /** A client's addresses as lines of text, newest first. */
    log: (email: string): Promise<string[]> => stored.log(email),
    async clear(email: string, requestId = ''): Promise<null> {
      await store.write((trx) => repository.dropClient(trx, foldText(email)));
      for (const name of new Set([email, ...deps.onlineEmails()])) {
        if (foldText(name) !== foldText(email)) continue;
        sightings.forget(name);
        scan.limits.forget(name);
      }
      announce(deps.publish, ['clients'], requestId);
      return null;
    },
    /** The whole table as other panels read it: per client the newest sighting of each address. */
    table: () => stored.table(),
    /** Fresh sightings by observer and e-mail; relayed ones have no observer. */
    byGuid: (): Promise<Record<string, Record<string, SeenList>>> => stored.byGuid(),
    onlinesByGuid: (): Record<string, string[]> => ({
      ...deps.onlineOnNodes(),
      [panelGuid]: [...deps.onlineEmails()],
    }),
    ...merge,
    /**
     * Addresses seen here within the last half hour, by the client names under which the connections run, including
     * clients deleted since.
     */
    recentAddresses(emails: readonly string[]): Map<string, string[]> {
      const nowMs = clock();
      return new Map(emails.map((email) => [email, sightings.of(email, nowMs, KEEP_SEC * 1000).map(({ ip }) => ip)]));
    },
    async close(): Promise<void> {
      for (const timer of timers) timer.cancel();
      await scan.idle();
    },
  };
}
export type ClientIpService = ReturnType<typeof createClientIpService>;
