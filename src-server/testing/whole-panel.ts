import { randomBytes } from 'node:crypto';
import { createEventBus, type PanelEvent } from '../contract/events.ts';
import type { Envelope } from '../contract/envelope.ts';
import type { JsonObject } from '../contract/json.ts';
import { clientRoutes } from '../domains/clients/routes.ts';
import { createMerge } from '../domains/clientIps/merge.ts';
import { createClientService } from '../domains/clients/service.ts';
import { texts as clientTexts } from '../domains/clients/texts.ts';
import { groupRoutes } from '../domains/groups/routes.ts';
import { createGroupService } from '../domains/groups/service.ts';
import { texts as groupTexts } from '../domains/groups/texts.ts';
import { importExternalProxies } from '../domains/hosts/import-external-proxies.ts';
import type { Inbound } from '../domains/inbounds/contract.ts';
import { inboundRoutes } from '../domains/inbounds/routes.ts';
import { createInboundService } from '../domains/inbounds/service.ts';
import { texts as inboundTexts } from '../domains/inbounds/texts.ts';
import { createJobService } from '../domains/jobs/service.ts';
import { createHiddenSettings } from '../domains/settings/hidden-settings.ts';
import { nodeRoutes } from '../domains/nodes/routes.ts';
import { createNodeService } from '../domains/nodes/service.ts';
import { texts as nodeTexts } from '../domains/nodes/texts.ts';
import { createTrafficService } from '../domains/traffic/service.ts';
import type { BindContext } from '../http/bind.ts';
import { createTranslate } from '../http/texts.ts';
import { createGuardedDialer } from '../net/guarded-dialer.ts';
import { createDesiredState } from '../runtime/desired-state.ts';
import { createRemoteRuntime, joinRuntimes } from '../runtime/remote-runtime.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { createSecrets, KEY_BYTES } from '../store/secrets/secrets.ts';
import { countingCore } from './counting-core.ts';
import { manualSchedule } from './manual-schedule.ts';
import { serveRoutes } from './serve-routes.ts';
import { servingRuntime } from './serving-core.ts';
import { openTestStore } from './test-store.ts';

const PANEL_GUID = 'guid-of-this-panel';
export const PEER_GUID = 'guid-of-a-peer';
/** Node that inbounds of the tests can be deployed to. */
export const NODE_ID = 7;

/**
 * Inbounds, clients, groups and traffic over HTTP and one real store, with a fake core that counts and serves.
 * @param managesNodes with the engine for other panels in place of a node that is only known by name
 */
export async function startWholePanel({ panelGuid = PANEL_GUID, managesNodes = false } = {}) {
  const time = manualSchedule();
  const { clock, log } = time;
  const opened = await openTestStore(clock);
  const { store } = opened;
  const core = countingCore(clock);
  const template: { stored: JsonObject } = { stored: { routing: { rules: [] }, outbounds: [] } };
  const runtime = servingRuntime(
    createDesiredState(store, async () => template.stored),
    () => core.restart(),
  );
  const events: PanelEvent[] = [];
  const { publish, subscribe } = createEventBus((error) => log.error('events.listenerFailed', { error }));
  subscribe((event) => events.push(event));
  const settings = { restartCoreOnClientDisable: true, timeLocation: 'UTC' };
  const secrets = createSecrets(randomBytes(KEY_BYTES));
  const texts = {
    ...clientTexts,
    ...groupTexts,
    ...inboundTexts,
    ...nodeTexts,
    'request.invalid': 'request body failed validation',
  };
  const nodes = await createNodeService({
    store,
    secrets,
    dialer: createGuardedDialer(),
    values: createHiddenSettings(store, secrets),
    panelGuid,
    runtime: () => seam,
    clients: () => clients.inboundClients,
    adoption: () => inbounds.adoption,
    addresses: () => createMerge(store, clock),
    egressTo: async () => null,
    hasListeners: () => true,
    enforce: () => traffic.enforce(),
    textOf: ({ code, params }) => createTranslate({ en: texts })('en', code, params),
    publish,
    clock,
    monotonic: clock,
    schedule: time.schedule,
    log,
  });
  const remote = createRemoteRuntime(store, nodes.remote, clock);
  const seam: Runtime = joinRuntimes(runtime, remote);
  const traffic = createTrafficService({
    store,
    core,
    runtime: seam,
    onReset: remote.stageReset,
    remoteOnline: nodes.online,
    settings: { current: () => settings },
    recentAddresses: (emails) => new Map(emails.map((email) => [email, []])),
    panelGuid,
    publish,
    hasListeners: () => true,
    clock,
    monotonic: clock,
    schedule: time.schedule,
    log,
  });
  const jobs = createJobService({ clock, publish: () => {}, log });
  const clients = createClientService({
    store,
    jobs,
    runtime: seam,
    traffic: traffic.port,
    sessions: { end: (users, choice) => traffic.sessions.take(users, choice, 'switched off by hand') },
    activeInbounds: () => ({ ...nodes.online.activeByGuid(), [panelGuid]: [...traffic.activeTags()] }),
    nearLimits: () => ({ expireDiff: 0, trafficDiff: 0 }),
    clock,
    publish,
    subscribe,
    onError: (error) => log.error('clients.failed', { error }),
  });
  const groups = createGroupService({ store, clock, publish });
  const inbounds = createInboundService({
    store,
    runtime: seam,
    clients: clients.inboundClients,
    traffic: traffic.port,
    templates: {
      async rewrite(_trx, change) {
        const changed = change(template.stored);
        const isChanged = changed !== template.stored;
        template.stored = changed;
        return isChanged;
      },
    },
    nodes: managesNodes
      ? nodes.inboundNodes
      : { addresses: async () => new Map([[NODE_ID, 'node.example']]), allowTag: async () => {} },
    hosts: { importExternalProxies },
    clock,
    publish,
    log,
    panelGuid: () => panelGuid,
    reservedPorts: () => [],
    hasGeoFile: () => true,
    certificateFolder: opened.dataDir,
    findForeignUse: async () => null,
  });
  const mount = (context: BindContext): void => {
    inboundRoutes(context, inbounds);
    clientRoutes(context, clients, jobs);
    groupRoutes(context, groups);
    nodeRoutes(context, nodes, async () => {});
  };
  const http = await serveRoutes(mount, texts);

  const result = (answer: Envelope): unknown => {
    if (!answer.success) throw new Error(`refused: ${answer.msg} ${JSON.stringify(answer.obj)}`);
    return answer.obj;
  };
  return {
    ...time,
    store,
    nodes,
    panelGuid,
    /** What the panel serves, for serving it through another door. */
    mount,
    texts,
    core,
    runtime,
    events,
    settings,
    template,
    post: (call: string, body: object = {}) => http.post(`/panel/api${call}`, body),
    /** The result of a call that must succeed. */
    done: async <T = unknown>(call: string, body: object = {}): Promise<T> =>
      result(await http.post(`/panel/api${call}`, body)) as T,
    read: async <T>(call: string): Promise<T> => result(await http.get(`/panel/api${call}`)) as T,
    /** Adds a client that must be accepted. */
    add: async (client: object, inboundIds: readonly number[]) =>
      result(await http.post('/panel/api/clients/add', { client, inboundIds })),
    /** Adds a vless inbound, or another one, that must be accepted. @returns its id */
    async inbound(port: number, more: object = {}): Promise<number> {
      const body = {
        port,
        protocol: 'vless',
        settings: { decryption: 'none', encryption: 'none' },
        streamSettings: { network: 'tcp', security: 'none' },
        ...more,
      };
      return (result(await http.post('/panel/api/inbounds/add', body)) as Inbound).id;
    },
    /** What another panel says clients used altogether. */
    pushTotals: async (...traffics: object[]) =>
      result(await http.post('/panel/api/inbounds/pushClientTraffics', { masterGuid: PEER_GUID, traffics })),
    /** The stored state of a client. */
    state: (email: string) =>
      store.reader
        .selectFrom('clientStates as state')
        .innerJoin('clients as client', 'client.id', 'state.clientId')
        .selectAll('state')
        .where('client.email', '=', email)
        .executeTakeFirst(),
    /** Takes 5 s of time, counts, enforces and shows. */
    async tick(): Promise<void> {
      await time.advance(5_000);
      await traffic.tick();
    },
    expireTotals: () => clients.peers.expire(),
    /** Who is online on this panel's own core. */
    onlineEmails: () => traffic.onlineEmails(),
    async close(): Promise<void> {
      await http.close();
      await nodes.close();
      await traffic.close();
      await time.schedule.close();
      await opened.dispose();
    },
  };
}
export type WholePanel = Awaited<ReturnType<typeof startWholePanel>>;
