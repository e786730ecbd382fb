import { parseJsonObject } from '../contract/json-text.ts';
import type {
  CoreConfigSource,
  EgressBridge,
  FallbackSource,
  InboundSource,
  JsonObject,
} from '../core/config/source.ts';
import type { DesiredState } from '../core/core.ts';
import type { Store } from '../store/open-store.ts';
import { ALONE, runsHere, type ServingPlace } from './serving-place.ts';
import { FIRST_EGRESS_PORT, nodeBridge, PANEL_EGRESS, TRIAL_NODE_ID } from './panel-egress.ts';
import { readClients, type SharedClients } from './read-clients.ts';
import { readSubscribedOutbounds } from './subscribed-outbounds.ts';

type InboundRow = Awaited<ReturnType<typeof readInboundRow>>;

/**
 * Reads what should run on this panel's core: its own enabled inbounds, with the clients that may connect now.
 * @param readTemplate the stored core template, or the built-in one.
 * @param panelOutbound tag of the outbound or balancer for the panel's own requests; empty = directly.
 * @param trialOutbound the same for a panel that is being tried and is not yet a node; empty = none.
 * @param place this panel among those on its database.
 */
export function createDesiredState(
  store: Store,
  readTemplate: () => Promise<JsonObject>,
  panelOutbound: () => string = () => '',
  trialOutbound: () => string = () => '',
  place: ServingPlace = ALONE,
): DesiredState & { framesOnly(): Promise<InboundSource[]> } {
  async function fallbacksOf(masterId: number): Promise<FallbackSource[]> {
    const rows = await store.reader
      .selectFrom('inboundFallbacks as rule')
      .leftJoin('inbounds as child', 'child.id', 'rule.childId')
      .select(['rule.name', 'rule.alpn', 'rule.path', 'rule.dest', 'rule.xver', 'child.listen', 'child.port'])
      .where('rule.masterId', '=', masterId)
      .orderBy('rule.sortOrder')
      .orderBy('rule.id')
      .execute();
    return rows.map(({ listen, port, ...rule }) => ({
      ...rule,
      child: listen === null || port === null ? null : { listen, port },
    }));
  }

  async function toSource(
    row: InboundRow & object,
    emails: readonly string[] | null,
    shared?: SharedClients,
  ): Promise<InboundSource> {
    return {
      id: row.id,
      tag: row.tag,
      listen: row.listen,
      port: row.port,
      protocol: row.protocol,
      settings: parseJsonObject(row.settings) ?? {},
      streamSettings: parseJsonObject(row.streamSettings),
      sniffing: parseJsonObject(row.sniffing),
      clients: await readClients(store, row.id, emails, shared),
      fallbacks: await fallbacksOf(row.id),
    };
  }

  async function runnable(inboundId: number, emails: readonly string[] | null): Promise<InboundSource | null> {
    const row = await readInboundRow(store, inboundId);
    if (row === undefined || row.enable === 0 || row.nodeId !== null || !runsHere(place, row.serverId)) return null;
    return toSource(row, emails);
  }

  async function allRunnable(emails: readonly string[] | null): Promise<InboundSource[]> {
    const enabled = await store.reader
      .selectFrom('inbounds')
      .selectAll()
      .where('enable', '=', 1)
      .where('nodeId', 'is', null)
      .orderBy('id')
      .execute();
    const rows = enabled.filter(({ serverId }) => runsHere(place, serverId));
    const inbounds: InboundSource[] = [];
    const shared: SharedClients | undefined = rows.length > 1 ? new Map() : undefined;
    for (const row of rows) inbounds.push(await toSource(row, emails, shared));
    return inbounds;
  }

  /** Bridges for the panel's own requests, and for those to nodes that are reached through an outbound. */
  async function bridges(): Promise<EgressBridge[]> {
    const target = panelOutbound();
    const trial = trialOutbound();
    const nodes = await store.reader
      .selectFrom('nodes')
      .select(['id', 'outboundTag'])
      .where('enable', '=', 1)
      .where('outboundTag', '<>', '')
      .orderBy('id')
      .execute();
    return [
      ...(target === '' ? [] : [{ tag: PANEL_EGRESS, target, firstPort: FIRST_EGRESS_PORT }]),
      ...(trial === '' ? [] : [{ ...nodeBridge(TRIAL_NODE_ID), target: trial }]),
      ...nodes.map(({ id, outboundTag }) => ({ ...nodeBridge(id), target: outboundTag })),
    ];
  }

  return {
    /** Every inbound that should run, without its clients: enough to test a template. */
    framesOnly: () => allRunnable([]),
    async full(template?: JsonObject): Promise<CoreConfigSource> {
      const inbounds = await allRunnable(null);
      const subscribedOutbounds = await readSubscribedOutbounds(store);
      return { template: template ?? (await readTemplate()), inbounds, subscribedOutbounds, bridges: await bridges() };
    },
    inbound: (inboundId) => runnable(inboundId, null),
    inboundUsers: (inboundId, emails) => runnable(inboundId, emails),
  };
}

function readInboundRow(store: Store, inboundId: number) {
  return store.reader.selectFrom('inbounds').selectAll().where('id', '=', inboundId).executeTakeFirst();
}
