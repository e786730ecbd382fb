import type { Basics } from '../basics.ts';
import type { Timer } from '../../contract/schedule.ts';
import type { Core, OnlineUser } from '../../core/core.ts';
import type { AddressBlock } from '../../core/sessions/address-blocks.ts';
import type { Ability } from '../../core/sessions/socket-cutter.ts';
import { foldText } from '../../store/fold-text.ts';
import { parseAddressRanges } from '../settings/checks/address-ranges.ts';
import { createIpLimits } from './limits.ts';
import { IN_USE_MS } from './limit-rules.ts';
import { createMerge, KEEP_SEC, type SeenList } from './merge.ts';
import { limitNote, presentAddress } from './present.ts';
import * as repository from './repository.ts';
import { createSightings } from './sightings.ts';

const SCAN_MS = 10_000;
/** Sightings per transaction. */
const ROWS_PER_WRITE = 2_000;
/** Clients per page of the whole table. */
const PAGE_CLIENTS = 2_000;
const EXPIRE_EVERY_MS = 60_000;

/** The parts of the core that IP limits need. */
export interface AddressCore extends Pick<Core, 'status' | 'onlineUsers'> {
  blockAddresses(blocks: readonly AddressBlock[]): Promise<boolean>;
  readonly sockets: { ability(): Promise<Ability> };
}

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
  const { store, core, panelGuid, clock, log } = deps;
  const platform = deps.platform ?? process.platform;
  const sightings = createSightings(panelGuid, KEEP_SEC * 1000);
  const merge = createMerge(store, clock);
  let allowList = { text: '', isAllowed: (_ip: string): boolean => false };
  let elsewhere: Map<string, { ip: string; seenAtSec: number }[]> = new Map();
  const limits = createIpLimits({
    sightings,
    limitsOf: (emails) => repository.limitsOf(store.heavyReader, emails),
    elsewhere: async (emails) =>
      new Map(elsewhere.size === 0 ? [] : emails.map((email) => [email, elsewhere.get(foldText(email)) ?? []])),
    isAllowed: (ip) => allowList.isAllowed(ip),
    onBlocked: (facts) => deps.publish({ type: 'happened', kind: 'client.addresses', facts }),
    log,
  });
  const timers: Timer[] = [];
  let hasBlocks = false;
  let isSilentCore = false;
  let scanning: Promise<void> | null = null;

  function refreshAllowList(): void {
    const text = deps.settings.current().ipLimitAllowlist;
    if (text === allowList.text) return;
    const { ranges } = parseAddressRanges(text);
    allowList = { text, isAllowed: (ip) => ranges.includes(ip) };
  }

  async function record(online: readonly OnlineUser[], nowMs: number): Promise<void> {
    const due = await sightings.observe(online, nowMs);
    for (let at = 0; at < due.length; at += ROWS_PER_WRITE) {
      const part = due.slice(at, at + ROWS_PER_WRITE);
      // A renamed or deleted client stays in the core under an unused name.
      const known = await repository.knownEmails(
        store.heavyReader,
        part.map(({ email }) => email),
      );
      await store.write((trx) =>
        repository.storeSightings(
          trx,
          part.filter(({ email }) => known.has(email)),
        ),
      );
    }
  }

  async function enforce(online: readonly OnlineUser[], nowMs: number): Promise<void> {
    refreshAllowList();
    // Without connections or blocks there is nothing to compare.
    const isAnyoneConcerned = online.length + limits.count() > 0;
    const seen = isAnyoneConcerned
      ? await repository.seenElsewhere(store.heavyReader, panelGuid, Math.floor((nowMs - IN_USE_MS) / 1000))
      : [];
    elsewhere = Map.groupBy(seen, ({ emailKey }) => emailKey);
    const blocks = await limits.judge(online, nowMs);
    if (blocks.length === 0 && !hasBlocks) return;
    const isInForce = await core.blockAddresses(blocks);
    hasBlocks = isInForce && blocks.length > 0;
    const connected = new Map(online.map(({ email, ips }) => [email, new Set(ips.map(({ ip }) => ip))]));
    const open = blocks.filter(({ email, address }) => connected.get(email)?.has(address) === true);
    if (isInForce && open.length > 0) await deps.cutAt(open);
  }

  async function runScan(): Promise<void> {
    const online = await core.onlineUsers();
    const isRunning = core.status().state === 'running';
    if (isRunning) isSilentCore = online === null;
    if (online === null) return;
    const nowMs = clock();
    await record(online, nowMs);
    await enforce(online, nowMs);
  }

  const fromSec = (): number => Math.floor(clock() / 1000) - KEEP_SEC;
  const zone = (): string => {
    const { timeLocation } = deps.settings.current();
    return timeLocation === 'Local' ? '' : timeLocation;
  };

  /** Clients with their fresh sightings, page by page. */
  async function* clients(): AsyncGenerator<(repository.Sighting & { clientId: number | null })[][]> {
    for (let afterKey = ''; ;) {
      const rows = await repository.sightingsAfter(store.heavyReader, afterKey, fromSec(), PAGE_CLIENTS);
      if (rows.length === 0) return;
      afterKey = rows.at(-1)!.emailKey;
      yield [...Map.groupBy(rows, ({ emailKey }) => emailKey).values()]
        .map((sightingsOf) => sightingsOf.filter(({ ip }) => ip !== ''))
        .filter((sightingsOf) => sightingsOf.length > 0);
    }
  }

  return {
    /**
     * Looks every ten seconds. @param options.expires whether old sightings are dropped here; another panel may do it
     */
    start({ expires }: { expires: boolean }): void {
      timers.push(deps.schedule.every(SCAN_MS, () => this.scan()));
      if (expires) timers.push(deps.schedule.every(EXPIRE_EVERY_MS, () => this.expire()));
    },
    /** Records where clients are connected from and enforces their limits. One at a time. */
    scan(): Promise<void> {
      scanning ??= runScan()
        .catch((error: unknown) => log.error('clientIps.scanFailed', { error }))
        .finally(() => {
          scanning = null;
        });
      return scanning;
    },
    /** Drops what is older than half an hour. */
    async expire(): Promise<void> {
      sightings.expire(clock());
      for (let hasMore = true; hasMore;)
        hasMore = await store.write((trx) => repository.dropOld(trx, fromSec(), ROWS_PER_WRITE));
    },
    /** False once the running core does not report who is connected. */
    isUsable: (): boolean => !isSilentCore,
    async status() {
      const { canCut, reason } = await core.sockets.ability();
      const isUsable = !isSilentCore;
      return {
        enabled: true,
        installed: false,
        usable: isUsable,
        windows: platform === 'win32',
        method: 'core' as const,
        cutsConnections: canCut,
        blocked: limits.count(),
        note: limitNote({ isUsable, canCut, whyNot: reason, platform }),
      };
    },
    /** A client's addresses as lines of text, newest first. */
    async log(email: string): Promise<string[]> {
      const rows = await repository.addressesOf(store.reader, foldText(email), fromSec());
      return rows.map((row) => presentAddress(row, zone()));
    },
    async clear(email: string): Promise<null> {
      await store.write((trx) => repository.dropClient(trx, foldText(email)));
      for (const name of new Set([email, ...deps.onlineEmails()])) {
        if (foldText(name) !== foldText(email)) continue;
        sightings.forget(name);
        limits.forget(name);
      }
      return null;
    },
    /** The whole table as other panels read it: per client the newest sighting of each address. */
    async *table() {
      for await (const page of clients()) {
        yield page.map((rows) => ({
          id: rows[0]!.clientId ?? 0,
          clientEmail: rows[0]!.email,
          ips: newestByAddress(rows),
        }));
      }
    },
    /** Fresh sightings by observer and e-mail; relayed ones have no observer. */
    async byGuid(): Promise<Record<string, Record<string, SeenList>>> {
      // Without prototypes: e-mails and GUIDs are untrusted.
      const tree = Object.create(null) as Record<string, Record<string, SeenList>>;
      for await (const page of clients()) {
        for (const { guid, email, ip, seenAtSec } of page.flat()) {
          if (guid === '') continue;
          tree[guid] ??= Object.create(null) as Record<string, SeenList>;
          (tree[guid][email] ??= []).push({ ip, timestamp: seenAtSec });
        }
      }
      return tree;
    },
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
      await scanning;
    },
  };
}
export type ClientIpService = ReturnType<typeof createClientIpService>;

function newestByAddress(rows: readonly repository.Sighting[]): SeenList {
  const newest = new Map<string, number>();
  for (const { ip, seenAtSec } of rows) newest.set(ip, Math.max(seenAtSec, newest.get(ip) ?? 0));
  return [...newest].map(([ip, timestamp]) => ({ ip, timestamp })).sort((a, b) => b.timestamp - a.timestamp);
}
