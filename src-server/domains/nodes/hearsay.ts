import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import { foldText } from '../../store/fold-text.ts';
import type { Store } from '../../store/open-store.ts';
import { exchangeAddresses, type AddressPort } from './addresses.ts';
import { attributionOf } from './attribution.ts';
import { readChain, type Chains } from './chain.ts';
import type { OnlineTrees } from './online.ts';
import { readOnline } from './read-node.ts';
import { isActive, type KnownNode, type Registry } from './registry.ts';
import * as rows from './repository.ts';
import { pushTotals } from './totals.ts';

/** Between two exchanges of addresses. */
const ADDRESSES_MS = 10_000;
/** Between two tellings of what clients used everywhere. */
const TOTALS_MS = 30_000;

export interface HearsayDeps {
  store: Pick<Store, 'reader' | 'heavyReader'>;
  registry: Registry;
  online: OnlineTrees;
  chains: Chains;
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
      const names = await rows.emailsByNames(store.reader, id, Object.values(told).flat().map(foldText));
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

  /** What a node of an older build may not know of, or may be too busy for: the rest of the visit does not depend on it. */
  async function extras(node: KnownNode): Promise<void> {
    const nodeId = node.row.id;
    const client = node.client();
    await unlessRefused(nodeId, 'node.chainUnknown', async () => {
      const panels = await readChain(client);
      if (isActive(registry, node)) deps.chains.set(nodeId, panels);
    });
    const nowMs = clock();
    if (nowMs - node.addressesAtMs >= ADDRESSES_MS) {
      node.addressesAtMs = nowMs;
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
