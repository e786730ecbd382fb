import { DomainError } from '../../../contract/domain-error.ts';
import type { Logger } from '../../../contract/logger.ts';
import { foldText } from '../../../store/fold-text.ts';
import type { Store } from '../../../store/open-store.ts';
import { exchangeAddresses, type AddressPort } from '../chains/addresses.ts';
import { attributionOf } from '../chains/attribution.ts';
import type { Ancestors } from '../chains/lineage.ts';
import type { OnlineTrees } from '../chains/online.ts';
import { isWithin } from '../probes/within.ts';
import { readActive, readOnline } from './read-node.ts';
import { isActive, type KnownNode, type Registry } from '../registry.ts';
import * as rows from '../repository.ts';
import { pushTotals, tellTotals } from './totals.ts';

/** Larger lookups of names run in the thread for long reads. */
const MAX_QUICK_NAMES = 500;
/** Interval of address exchanges. */
const CHAIN_REPORTS_MS = 10_000;
/** Interval of sending total usage. */
const TOTALS_MS = 30_000;

export interface ChainReportsDeps {
  store: Pick<Store, 'reader' | 'heavyReader'>;
  registry: Registry;
  online: OnlineTrees;
  ancestors: Ancestors;
  /** Which inbounds on nodes have traffic. */
  active: OnlineTrees;
  /** Whether a page with live figures is open. */
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

/** What panels exchange besides configuration and counters. No other part of a poll depends on it. */
export function createChainReports(deps: ChainReportsDeps) {
  const { store, registry, clock, log } = deps;

  /** Display only, so delivery continues if the node cannot report it or takes too long. */
  async function noteOnline(node: KnownNode, attribution: string): Promise<void> {
    const { id, guid } = node.row;
    try {
      const reported = await readOnline(node.client());
      const emailKeys = Object.values(reported).flat().map(foldText);
      const reader = emailKeys.length > MAX_QUICK_NAMES ? store.heavyReader : store.reader;
      const names = await rows.emailsByNames(reader, id, emailKeys);
      const tree = new Map<string, string[]>();
      for (const [panel, emails] of Object.entries(reported)) {
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

  /** Tags here of inbounds with traffic on the node and behind it. */
  async function noteActive(node: KnownNode): Promise<void> {
    const { id, guid } = node.row;
    const reported = await readActive(node.client());
    const hosted = await rows.hostedTags(store.reader, id);
    const nodes = registry.all().map(({ row }) => row);
    const attribution = attributionOf(node.row, nodes, deps.ownGuid);
    const tree = new Map<string, string[]>();
    for (const [panel, tags] of Object.entries(reported)) {
      const name = panel === guid ? attribution : panel;
      const here = hosted.filter(({ originNodeGuid }) => originNodeGuid === name);
      // A panel that runs no known inbound needs no request.
      if (here.length > 0)
        tree.set(
          name,
          here.flatMap(({ tag, remoteTag }) => (tags.includes(remoteTag) ? [tag] : [])),
        );
    }
    if (isActive(registry, node)) deps.active.set(id, tree);
  }

  /** Requests an older node may not support, or a busy one may refuse: the rest of the poll does not depend on them. */
  async function extras(node: KnownNode): Promise<void> {
    const nodeId = node.row.id;
    const client = node.client();
    // Display only.
    if (deps.hasListeners()) await unlessRefused(nodeId, 'node.activeUnknown', () => noteActive(node));
    else deps.active.clear(nodeId);
    const nowMs = clock();
    if (!isWithin(CHAIN_REPORTS_MS, node.chainReportsAtMs, nowMs)) {
      node.chainReportsAtMs = nowMs;
      const { guid } = node.row;
      const { ownGuid } = deps;
      const nodes = registry.all().map(({ row }) => row);
      const attribution = attributionOf(node.row, nodes, ownGuid);
      const exchange = { nodeId, client, guid, attribution, ownGuid, nowMs };
      await unlessRefused(nodeId, 'node.addressesUnknown', () =>
        exchangeAddresses({ store, addresses: deps.addresses() }, exchange),
      );
    }
    await tell(node, async (to) => {
      const sent = node.sentTotals;
      // If the call fails, it is unknown whether it arrived.
      node.sentTotals = null;
      node.sentTotals = await pushTotals(store, { nodeId, ...to }, sent);
    });
  }

  /** Every 30 s. */
  async function tell(node: KnownNode, work: (to: Parameters<typeof tellTotals>[0]) => Promise<void>): Promise<void> {
    const nowMs = clock();
    if (isWithin(TOTALS_MS, node.totalsPushedAtMs, nowMs)) return;
    node.totalsPushedAtMs = nowMs;
    const to = { client: node.client(), ownGuid: deps.ownGuid, above: [...deps.ancestors.all()] };
    await unlessRefused(node.row.id, 'node.totalsNotTaken', () => work(to));
  }

  async function unlessRefused(nodeId: number, event: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      log.debug(event, { nodeId, error: deps.textOf(error) });
    }
  }

  return {
    noteOnline,
    extras,
    /** Reports this panel's masters to a panel refused as node because of a circle, so that all in the circle know. */
    tellAncestors: (node: KnownNode): Promise<void> => tell(node, (to) => tellTotals(to, [])),
  };
}
