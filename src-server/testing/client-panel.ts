import { createEventBus, type PanelEvent } from '../contract/events.ts';
import type { JsonObject } from '../contract/json.ts';
import type { NearLimits } from '../domains/clients/near-limits.ts';
import { clientRoutes } from '../domains/clients/routes.ts';
import { createClientService } from '../domains/clients/service.ts';
import { texts } from '../domains/clients/texts.ts';
import { groupRoutes } from '../domains/groups/routes.ts';
import { createGroupService } from '../domains/groups/service.ts';
import { texts as groupTexts } from '../domains/groups/texts.ts';
import { createJobService } from '../domains/jobs/service.ts';
import { createCounterPort } from '../domains/traffic/counter-port.ts';
import { nextMonthDay } from '../domains/traffic/month-day.ts';
import type { BindContext } from '../http/bind.ts';
import type { Store } from '../store/open-store.ts';
import { recordingRuntime } from './recording-runtime.ts';
import { serveRoutes } from './serve-routes.ts';
import { openTestStore, recordingLogger } from './test-store.ts';

export const REALITY: JsonObject = { network: 'tcp', security: 'reality' };
export const WEBSOCKET: JsonObject = { network: 'ws', security: 'none' };
export const DAY_MS = 86_400_000;
export const GIB = 1_073_741_824;

/** What a change answers when somebody is connected and cannot be cut off alone. */
export const LEFT_OPEN = {
  sessions: 'leftOpen' as const,
  sessionReport: {
    step: 'left' as const,
    connections: 0,
    left: [],
    leftCount: 1,
    offers: ['restart' as const],
    note: 'not on this machine',
  },
};

/** The client calls over HTTP: real store, real bookkeeping, recorded runtime and events, time that tests move. */
export async function startClientPanel() {
  const time = { nowMs: 1_700_000_000_000 };
  const clock = () => time.nowMs;
  const opened = await openTestStore(clock);
  const { store } = opened;
  const runtime = recordingRuntime();
  const events: PanelEvent[] = [];
  const errors: unknown[] = [];
  const ended: string[] = [];
  const choices: string[] = [];
  const bus = createEventBus((error) => errors.push(error));
  bus.subscribe((event) => events.push(event));
  const settings: { near: NearLimits; online: ReadonlySet<string> } = {
    near: { expireDiff: 0, trafficDiff: 0 },
    online: new Set(),
  };
  const jobs = createJobService({ clock, publish: () => {}, log: recordingLogger() });
  const service = createClientService({
    store,
    jobs,
    runtime,
    traffic: createCounterPort({
      panelGuid: 'guid-of-this-panel',
      forgetNames: () => {},
      onlineEmails: () => settings.online,
      nextRenewalMs: (day, nowMs) => nextMonthDay(nowMs, day, 'UTC'),
      settle: async () => {},
    }),
    sessions: {
      async end(users, choice) {
        ended.push(...new Set(users.flatMap(({ emails }) => emails)));
        choices.push(choice);
        return LEFT_OPEN.sessionReport;
      },
    },
    activeInbounds: () => ({ 'guid-of-this-panel': ['in-443-tcp'] }),
    nearLimits: () => settings.near,
    clock,
    publish: bus.publish,
    subscribe: bus.subscribe,
    onError: (error) => void errors.push(error),
  });
  const groups = createGroupService({ store, clock, publish: bus.publish });
  const mount = (context: BindContext): void => {
    clientRoutes(context, service, jobs);
    groupRoutes(context, groups);
  };
  const http = await serveRoutes(mount, {
    ...texts,
    ...groupTexts,
    'request.invalid': 'request body failed validation',
  });
  const path = '/panel/api/clients';
  let lastPort = 10_000;
  const panel = {
    time,
    store,
    runtime,
    events,
    errors,
    /** Whose sessions were to be ended, in order. */
    ended,
    /** How far to go each time. */
    choices,
    bus,
    settings,
    service,
    jobs,
    http,
    get: (call: string) => http.get(path + call),
    post: (call: string, body: object = {}, headers: Record<string, string> = {}) =>
      http.post(path + call, body, headers),
    /** The result of a call that must succeed. */
    async ok<T = unknown>(answer: Promise<{ success: boolean; msg: string; obj: unknown }>): Promise<T> {
      const { success, msg, obj } = await answer;
      if (!success) throw new Error(`refused: ${msg} ${JSON.stringify(obj)}`);
      return obj as T;
    },
    /** The message of a call that must fail. */
    async refusal(answer: Promise<{ success: boolean; msg: string; obj: unknown }>): Promise<string> {
      const { success, msg, obj } = await answer;
      if (success) throw new Error(`accepted: ${JSON.stringify(obj)}`);
      return msg;
    },
    /** A stored inbound. @returns its id. */
    async inbound(protocol = 'vless', settingsOf: JsonObject = {}, stream: JsonObject = {}): Promise<number> {
      lastPort += 1;
      return insertInbound(store, { port: lastPort, protocol, settings: settingsOf, stream, nowMs: clock() });
    },
    /** Adds a client that must be accepted. */
    add: (client: object, inboundIds: readonly number[]) =>
      panel.ok<object | null>(http.post(`${path}/add`, { client, inboundIds })),
    /** The stored rows of a client. */
    async stored(email: string) {
      const client = await store.reader
        .selectFrom('clients')
        .innerJoin('clientStates', 'clientStates.clientId', 'clients.id')
        .selectAll()
        .where('email', '=', email)
        .executeTakeFirst();
      if (client === undefined) return null;
      const links = await store.reader
        .selectFrom('clientInbounds')
        .selectAll()
        .where('clientId', '=', client.id)
        .orderBy('inboundId')
        .execute();
      return { ...client, links };
    },
    /** Puts values of a state where only the accounting loop would. */
    async setState(
      email: string,
      state: Partial<{
        enable: 0 | 1;
        disabledBy: '' | 'admin' | 'loop';
        upBytes: number;
        downBytes: number;
        expiresAtMs: number;
        lastOnlineAtMs: number;
      }>,
    ): Promise<void> {
      const id = (await panel.stored(email))!.id;
      await store.write(async (trx) => {
        await trx.updateTable('clientStates').set(state).where('clientId', '=', id).execute();
      });
      service.clientsChanged([id]);
    },
    async close() {
      await http.close();
      await opened.dispose();
    },
  };
  return panel;
}
export type ClientPanel = Awaited<ReturnType<typeof startClientPanel>>;

async function insertInbound(
  store: Store,
  row: { port: number; protocol: string; settings: JsonObject; stream: JsonObject; nowMs: number },
): Promise<number> {
  return store.write(async (trx) => {
    const { insertId } = await trx
      .insertInto('inbounds')
      .values({
        tag: `in-${row.port}-tcp`,
        remark: '',
        enable: 1,
        disabledBy: '',
        listen: '',
        port: row.port,
        protocol: row.protocol,
        settings: JSON.stringify(row.settings),
        streamSettings: JSON.stringify(row.stream),
        sniffing: '',
        expiresAtMs: 0,
        quotaBytes: 0,
        upBytes: 0,
        downBytes: 0,
        trafficReset: 'never',
        lastTrafficResetAtMs: 0,
        nodeId: null,
        originNodeGuid: '',
        createdAtMs: row.nowMs,
        updatedAtMs: row.nowMs,
      })
      .executeTakeFirstOrThrow();
    return Number(insertId);
  });
}
