import { sql } from 'kysely';
import { createEventBus, type PanelEvent } from '../contract/events.ts';
import { createLedgerService } from '../domains/traffic/ledger.ts';
import { createQuarantine } from '../domains/traffic/quarantine.ts';
import { trafficRoutes } from '../domains/traffic/routes.ts';
import { texts } from '../domains/traffic/texts.ts';
import { createTrafficService, type TrafficService, type TrafficServiceDeps } from '../domains/traffic/service.ts';
import { foldText } from '../store/fold-text.ts';
import type { WriteTransaction } from '../store/open-store.ts';
import { countingCore } from './counting-core.ts';
import { manualSchedule } from './manual-schedule.ts';
import { recordingRuntime } from './recording-runtime.ts';
import { serveRoutes } from './serve-routes.ts';
import { openTestStore } from './test-store.ts';

export const PANEL_GUID = 'panel-guid';

interface ClientOptions {
  quotaBytes?: number;
  expiresAtMs?: number;
  resetDays?: number;
  resetDay?: number;
  enable?: boolean;
  disabledBy?: '' | 'admin' | 'loop';
  groupName?: string;
  inboundIds?: number[];
}

/** The traffic service over a real store, time that a test moves and a core whose counters a test moves. */
export async function trafficPanel(options: Partial<TrafficServiceDeps> = {}) {
  const time = manualSchedule();
  // Wall clock jumps must not show in what the service measures time with.
  let jumpedMs = 0;
  const opened = await openTestStore(time.clock);
  const core = countingCore(time.clock);
  const runtime = recordingRuntime();
  runtime.restartCore = async (reason) => {
    runtime.restarts.push(reason);
    await core.restart();
  };
  const events: PanelEvent[] = [];
  const { publish, subscribe } = createEventBus((error) => {
    throw error;
  });
  subscribe((event) => events.push(event));
  const settings = { restartCoreOnClientDisable: true, timeLocation: 'UTC' };
  const recent = new Map<string, string[]>();
  const { store } = opened;
  let failNext: 'before' | 'after' | null = null;
  const deps: TrafficServiceDeps = {
    store: {
      ...store,
      async write<T>(work: (trx: WriteTransaction) => Promise<T>): Promise<T> {
        const mode = failNext;
        failNext = null;
        if (mode === 'before') throw new Error('disk full');
        const outcome = await store.write(work);
        if (mode === 'after') throw new Error('the answer was lost');
        return outcome;
      },
    },
    core,
    runtime,
    settings: { current: () => settings },
    recentAddresses: (emails) => new Map(emails.map((email) => [email, recent.get(email) ?? []])),
    panelGuid: PANEL_GUID,
    publish,
    hasListeners: () => true,
    clock: time.clock,
    monotonic: () => time.clock() - jumpedMs,
    schedule: time.schedule,
    log: time.log,
    ...options,
  };
  let service: TrafficService = createTrafficService(deps);

  const panel = {
    ...time,
    store,
    core,
    runtime,
    events,
    settings,
    /** Addresses clients were seen at within the last half hour. */
    recent,
    service: () => service,
    /** The calls of the traffic domain over HTTP; the caller closes them. */
    serve() {
      const shared = { store, clock: time.clock, publish, log: time.log };
      const services = { ledger: createLedgerService(shared), quarantine: createQuarantine(shared) };
      return serveRoutes((ctx) => trafficRoutes(ctx, { ...services, sessions: service.sessions }), {
        ...texts,
        'request.invalid': 'request body failed validation',
      });
    },
    /** The service's next write fails: before it runs, or with the answer lost after its commit. */
    failNextWrite: (mode: 'before' | 'after' | null) => void (failNext = mode),
    jumpClock(ms: number): void {
      jumpedMs += ms;
      time.jumpClock(ms);
    },
    /** The panel process dies and another one opens the same database; the core lives on. */
    reopen(): void {
      core.losePanel();
      service = createTrafficService(deps);
    },
    /** Takes 5 s of time, without the timers. */
    async tick(): Promise<void> {
      await time.advance(5_000);
      await service.tick();
    },
    addClient: (email: string, given: ClientOptions = {}) =>
      store.write((trx) => insertClient(trx, service, email, given, time.clock())),
    async deleteClient(clientId: number): Promise<void> {
      await store.write(async (trx) => {
        await service.port.releaseSubjects(trx, [clientId]);
        await trx.deleteFrom('clients').where('id', '=', clientId).execute();
      });
    },
    async renameClient(clientId: number, to: string): Promise<void> {
      await store.write(async (trx) => {
        const { email } = await trx
          .selectFrom('clients')
          .select('email')
          .where('id', '=', clientId)
          .executeTakeFirstOrThrow();
        await trx
          .updateTable('clients')
          .set({ email: to, emailKey: foldText(to) })
          .where('id', '=', clientId)
          .execute();
        await service.port.renameSubject(trx, email, to, clientId);
      });
    },
    async resetClient(clientId: number): Promise<void> {
      await store.write((trx) => service.port.setCounters(trx, [clientId], 'zero', 'reset', time.clock()));
    },
    state: (clientId: number) =>
      store.reader.selectFrom('clientStates').selectAll().where('clientId', '=', clientId).executeTakeFirstOrThrow(),
    /** Sum of a client's ledger, over all sources or one kind of them. */
    async ledgerSum(clientId: number, kind?: string): Promise<{ up: number; down: number }> {
      const { rows } = await sql<{ up: number; down: number }>`
        SELECT coalesce(sum(upBytes), 0) AS up, coalesce(sum(downBytes), 0) AS down
        FROM trafficLedger AS entry JOIN trafficSources AS source ON source.id = entry.sourceId
        WHERE entry.clientId = ${clientId} AND (${kind ?? null} IS NULL OR source.kind = ${kind ?? null})`.execute(
        store.reader,
      );
      return rows[0]!;
    },
    inbound: (id: number) =>
      store.reader.selectFrom('inbounds').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    async addInbound(
      tag: string,
      given: { protocol?: string; port?: number; nodeId?: number; quotaBytes?: number; expiresAtMs?: number } = {},
    ) {
      return store.write(async (trx) => {
        const { insertId } = await trx
          .insertInto('inbounds')
          .values({
            tag,
            remark: '',
            enable: 1,
            disabledBy: '',
            listen: '',
            port: given.port ?? 443,
            protocol: given.protocol ?? 'vless',
            settings: '{}',
            streamSettings: '',
            sniffing: '',
            expiresAtMs: given.expiresAtMs ?? 0,
            quotaBytes: given.quotaBytes ?? 0,
            upBytes: 0,
            downBytes: 0,
            trafficReset: 'never',
            lastTrafficResetAtMs: 0,
            nodeId: given.nodeId ?? null,
            originNodeGuid: '',
            createdAtMs: time.clock(),
            updatedAtMs: time.clock(),
          })
          .executeTakeFirstOrThrow();
        return Number(insertId);
      });
    },
    live: (message: string) =>
      events.flatMap((event) => (event.type === 'live' && event.message === message ? [event.data] : [])),
    async dispose(): Promise<void> {
      await service.close();
      await time.schedule.close();
      await opened.dispose();
    },
  };
  return panel;
}
export type TrafficPanel = Awaited<ReturnType<typeof trafficPanel>>;

async function insertClient(
  trx: WriteTransaction,
  service: TrafficService,
  email: string,
  given: ClientOptions,
  nowMs: number,
): Promise<number> {
  const { id } = await trx
    .insertInto('clients')
    .values({
      email,
      emailKey: foldText(email),
      subId: '',
      uuid: '',
      password: '',
      auth: '',
      flow: '',
      security: '',
      reverse: '',
      limitIp: 0,
      tgId: 0,
      groupName: given.groupName ?? '',
      comment: '',
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('clientStates')
    .values({
      clientId: id,
      enable: given.enable === false ? 0 : 1,
      disabledBy: given.disabledBy ?? '',
      quotaBytes: given.quotaBytes ?? 0,
      expiresAtMs: given.expiresAtMs ?? 0,
      resetDays: given.resetDays ?? 0,
      resetDay: given.resetDay ?? 0,
      upBytes: 0,
      downBytes: 0,
      lastOnlineAtMs: 0,
    })
    .execute();
  for (const inboundId of given.inboundIds ?? [])
    await trx
      .insertInto('clientInbounds')
      .values({ clientId: id, inboundId, flowOverride: '', passwordOverride: '', createdAtMs: nowMs })
      .execute();
  await service.port.bindSubjects(trx, [{ email, clientId: id }]);
  return id;
}
