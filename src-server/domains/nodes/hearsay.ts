import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import { foldText } from '../../store/fold-text.ts';
import type { Store } from '../../store/open-store.ts';
import { exchangeAddresses, type AddressPort } from './addresses.ts';
import { attributionOf } from './attribution.ts';
import { readChain, type Chains } from './chain.ts';
import type { OnlineTrees } from './online.ts';
import { readActive, readOnline } from './read-node.ts';
import { isActive, type KnownNode, type Registry } from './registry.ts';
import * as rows from './repository.ts';
import { pushTotals } from './totals.ts';

/** More names than these are looked up in the thread for long reads. */
const MAX_QUICK_NAMES = 500;
/** Between two exchanges of addresses, and two questions for the panels behind a node. */
const HEARSAY_MS = 10_000;
/** Between two tellings of what clients used everywhere. */
const TOTALS_MS = 30_000;

export interface HearsayDeps {
  store: Pick<Store, 'reader' | 'heavyReader'>;
  registry: Registry;
  online: OnlineTrees;
  chains: Chains;
  /** Which inbounds move bytes on nodes. */
  active: OnlineTrees;
  /** Whether a page is open that shows live figures. */
  hasListeners: () => boolean;
  /** Where clients are used from. */
  addresses: () => AddressPort;
  /** GUID of this panel. */
  ownGuid: string;
  /** A failure in English. */
  textOf: (error: DomainError) => string;
  clock: () => number;
  log: Logger;
}

/** What panels tell each other besides configuration and counters. Nothing else of a visit depends on it. */
export function createHearsay(deps: HearsayDeps) {
  const { store, registry, clock, log } = deps;

  /** Only for show, so a node that cannot tell, or takes too long, is still delivered to. */
  async function noteOnline(node: KnownNode, attribution: string): Promise<void> {
    const { id, guid } = node.row;
    try {
      const told = await readOnline(node.client());
      const emailKeys = Object.values(told).flat().map(foldText);
      const reader = emailKeys.length > MAX_QUICK_NAMES ? store.heavyReader : store.reader;
      const names = await rows.emailsByNames(reader, id, emailKeys);
      const tree = new Map<string, string[]>();
      for (const [panel, emails] of Object.entries(told)) {
        const known = emails.map((email) => names.get(foldText(email))).filter((email) => email !== undefined);
        tree.set(panel === guid ? attribution : panel, known);
      }
      if (isActive(registry, node)) deps.online.set(id, tree);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      deps.online.clear(id);
      log.debug('node.onlineUnknown', { nodeId: id, error: deps.textOf(error) });
    }
  }

  /** Tags of inbounds that move bytes on the node and behind it, under the names they have here. */
  async function noteActive(node: KnownNode): Promise<void> {
    const { id, guid } = node.row;
    const told = await readActive(node.client());
    const hosted = await rows.hostedTags(store.reader, id);
    const nodes = registry.all().map(({ row }) => row);
    const attribution = attributionOf(node.row, nodes, deps.ownGuid);
    const tree = new Map<string, string[]>();
    for (const [panel, tags] of Object.entries(told)) {
      const name = panel === guid ? attribution : panel;
      const here = hosted.filter(({ originNodeGuid }) => originNodeGuid === name);
      // Of a panel that runs nothing of what is known here nobody asks.
      if (here.length > 0)
        tree.set(
          name,
          here.flatMap(({ tag, remoteTag }) => (tags.includes(remoteTag) ? [tag] : [])),
        );
    }
    if (isActive(registry, node)) deps.active.set(id, tree);
  }

  /** What a node of an older build may not know of, or may be too busy for: the rest of the visit does not depend on it. */
  async function extras(node: KnownNode): Promise<void> {
    const nodeId = node.row.id;
    const client = node.client();
    // Only for show.
    if (deps.hasListeners()) await unlessRefused(nodeId, 'node.activeUnknown', () => noteActive(node));
    else deps.active.clear(nodeId);
    const nowMs = clock();
    if (nowMs - node.hearsayAtMs >= HEARSAY_MS) {
      node.hearsayAtMs = nowMs;
      await unlessRefused(nodeId, 'node.chainUnknown', async () => {
        const panels = await readChain(client);
        if (isActive(registry, node)) deps.chains.set(nodeId, panels);
      });
      const { guid } = node.row;
      const { ownGuid } = deps;
      const nodes = registry.all().map(({ row }) => row);
      const attribution = attributionOf(node.row, nodes, ownGuid);
      const exchange = { nodeId, client, guid, attribution, ownGuid, nowMs };
      await unlessRefused(nodeId, 'node.addressesUnknown', () =>
        exchangeAddresses({ store, addresses: deps.addresses() }, exchange),
      );
    }
    if (nowMs - node.totalsPushedAtMs < TOTALS_MS) return;
    node.totalsPushedAtMs = nowMs;
    await unlessRefused(nodeId, 'node.totalsNotTaken', () =>
      pushTotals(store, { nodeId, client, ownGuid: deps.ownGuid }),
    );
  }

  async function unlessRefused(nodeId: number, event: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      log.debug(event, { nodeId, error: deps.textOf(error) });
    }
  }

  return { noteOnline, extras };
}
