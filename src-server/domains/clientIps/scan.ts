import type { Basics } from '../basics.ts';
import type { Core, OnlineUser } from '../../core/core.ts';
import type { AddressBlock } from '../../core/sessions/address-blocks.ts';
import { foldText } from '../../store/fold-text.ts';
import { parseAddressRanges } from '../../net/address-ranges.ts';
import { createIpLimits } from './limits.ts';
import { IN_USE_MS } from './limit-rules.ts';
import * as repository from './repository.ts';
import type { Sightings } from './sightings.ts';

/** Sightings per transaction. */
const ROWS_PER_WRITE = 2_000;

export interface AddressScanDeps extends Pick<Basics, 'store' | 'clock' | 'publish' | 'log'> {
  core: Pick<Core, 'status' | 'onlineUsers'> & {
    blockAddresses(blocks: readonly AddressBlock[]): Promise<boolean>;
  };
  /** Closes a client's open connections from an address that no one else uses. */
  cutAt: (blocks: readonly AddressBlock[]) => Promise<void>;
  settings: { current(): { ipLimitAllowlist: string } };
  panelGuid: string;
  sightings: Sightings;
}

/** Looks at who is connected from where: records it, and enforces the limits. */
export function createAddressScan(deps: AddressScanDeps) {
  const { store, core, panelGuid, clock, sightings, log } = deps;
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

  return {
    limits,
    /** False once the running core does not report who is connected. */
    isUsable: (): boolean => !isSilentCore,
    /** Records where clients are connected from and enforces their limits. One at a time. */
    run(): Promise<void> {
      scanning ??= runScan()
        .catch((error: unknown) => log.error('clientIps.scanFailed', { error }))
        .finally(() => {
          scanning = null;
        });
      return scanning;
    },
    /** Resolves when no scan is in progress. */
    idle: async (): Promise<void> => {
      await scanning;
    },
  };
}
