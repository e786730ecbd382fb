import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { parseJsonObject } from '../contract/json-text.ts';
import type {
  ClientSource,
  CoreConfigSource,
  EgressBridge,
  FallbackSource,
  InboundSource,
  JsonObject,
} from '../core/config/source.ts';
import type { DesiredState } from '../core/core.ts';
import { foldText } from '../store/fold-text.ts';
import type { Store } from '../store/open-store.ts';
import { ALONE, runsHere, type ServingPlace } from './serving-place.ts';
import { FIRST_EGRESS_PORT, nodeBridge, PANEL_EGRESS, TRIAL_NODE_ID } from './panel-egress.ts';
import { readSubscribedOutbounds } from './subscribed-outbounds.ts';

/**
 * Clients already read, by id. A client on three inbounds is one object with one text of each kind, not three: that
 * much less memory for what waits for the core's start and what is kept afterwards.
 */
type Shared = Map<number, ClientSource>;

type InboundRow = Awaited<ReturnType<typeof readInboundRow>>;

/** E-mails per IN list; SQLite's limit is higher, but a fixed size keeps the number of cached statements small. */
const EMAIL_CHUNK = 400;
/** Rows per message from the reader thread: unpacking one takes a few ms of this thread. */
const PAGE_ROWS = 4_000;

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
  async function clientsOf(
    inboundId: number,
    emails: readonly string[] | null,
    shared?: Shared,
  ): Promise<ClientSource[]> {
    // All clients of an inbound can be 50,000 rows: the thread for long reads does that.
    const db = emails === null ? store.heavyReader : store.reader;
    const base = db
      .selectFrom('clientInbounds as link')
      .innerJoin('clients as client', 'client.id', 'link.clientId')
      .innerJoin('clientStates as state', 'state.clientId', 'link.clientId')
      .select([
        'link.clientId',
        'client.email',
        'client.uuid',
        sql<string>`CASE link.passwordOverride WHEN '' THEN client.password ELSE link.passwordOverride END`.as(
          'password',
        ),
        'client.auth',
        'link.flowOverride',
        'client.reverse',
      ])
      .where('link.inboundId', '=', inboundId)
      .where('state.enable', '=', 1)
      .orderBy('link.clientId');
    const clients: ClientSource[] = [];
    const take = (rows: Awaited<ReturnType<typeof base.execute>>): void => {
      for (const { clientId, email, uuid, password, auth, flowOverride: flow, reverse } of rows) {
        const known = shared?.get(clientId);
        if (known === undefined) {
          const client = { email, id: uuid, password, auth, flow, reverseTag: reverseTagOf(reverse) };
          shared?.set(clientId, client);
          clients.push(client);
        } else {
          const isAlike = known.flow === flow && known.password === password;
          clients.push(isAlike ? known : { ...known, flow, password });
        }
      }
    };
    if (emails === null) {
      let lastId = 0;
      for (;;) {
        const rows = await base.where('link.clientId', '>', lastId).limit(PAGE_ROWS).execute();
        take(rows);
        if (rows.length < PAGE_ROWS) return clients;
        lastId = rows.at(-1)!.clientId;
      }
    }
    const keys = [...new Set(emails.map(foldText))];
    for (let at = 0; at < keys.length; at += EMAIL_CHUNK) {
      // This reader is on the main thread: a bulk change of thousands would hold the event loop for the sum of these.
      if (at > 0) await nextTurn();
      take(await base.where('client.emailKey', 'in', keys.slice(at, at + EMAIL_CHUNK)).execute());
    }
    return clients;
  }

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
    shared?: Shared,
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
      clients: await clientsOf(row.id, emails, shared),
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
    const shared: Shared | undefined = rows.length > 1 ? new Map() : undefined;
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
    async full(): Promise<CoreConfigSource> {
      const inbounds = await allRunnable(null);
      const subscribedOutbounds = await readSubscribedOutbounds(store);
      return { template: await readTemplate(), inbounds, subscribedOutbounds, bridges: await bridges() };
    },
    inbound: (inboundId) => runnable(inboundId, null),
    inboundUsers: (inboundId, emails) => runnable(inboundId, emails),
  };
}

function readInboundRow(store: Store, inboundId: number) {
  return store.reader.selectFrom('inbounds').selectAll().where('id', '=', inboundId).executeTakeFirst();
}

function reverseTagOf(reverse: string): string {
  const tag = parseJsonObject(reverse)?.['tag'];
  return typeof tag === 'string' ? tag.trim() : '';
}
