import { sql } from 'kysely';
import { createTrafficService, type TrafficService, type TrafficServiceDeps } from '../../domains/traffic/service.ts';
import { foldText } from '../../store/fold-text.ts';
import type { Store, WriteTransaction } from '../../store/open-store.ts';
import { openPanel } from './open-panel.ts';
import { recordRuntime } from '../recording-runtime.ts';
import { storeInbound, type StoredInbound } from '../stored-inbound.ts';

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

/** A panel for accounting tests: its clients are rows, and a page that shows live figures is open. */
export async function trafficPanel() {
  const opened = await openPanel({ panelGuid: PANEL_GUID });
  const { store, core, clock, events, parts } = opened;
  const { base, engine } = parts;
  // Only what a test starts runs by itself.
  opened.dropTimers();
  const runtime = recordRuntime(engine.runtime);
  const shown = { isListening: true };
  base.hub.hasListeners = () => shown.isListening;
  let service: TrafficService = engine.traffic;

  const panel = {
    ...opened,
    runtime,
    /** Whether such a page is open. */
    shown,
    service: () => service,
    failNextWrite: failingWrites(store),
    /** The accounting is killed and a new one opens the same database; the core lives on. */
    reopen(change: Partial<TrafficServiceDeps> = {}): void {
      core.losePanel();
      const recentAddresses = (emails: readonly string[]) => engine.clientIps.recentAddresses(emails);
      service = createTrafficService({ ...base, core, runtime, recentAddresses, ...change });
    },
    /** Moves time by 5 s, without the timers. */
    async tick(): Promise<void> {
      await opened.advance(5_000);
      await service.tick();
    },
    addClient: (email: string, given: ClientOptions = {}) =>
      store.write((trx) => insertClient(trx, service, email, given, clock())),
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
      await store.write((trx) => service.port.setCounters(trx, [clientId], 'zero', 'reset', clock()));
    },
    state: (clientId: number) =>
      store.reader.selectFrom('clientStates').selectAll().where('clientId', '=', clientId).executeTakeFirstOrThrow(),
    /** Sum of a client's ledger, over all sources or one kind of them. */
    async ledgerSum(clientId: number, kind?: string): Promise<{ up: number; down: number }> {
      const { rows } = await sql<{ up: number; down: number }>`
        SELECT coalesce(sum(upBytes), 0) AS up, coalesce(sum(downBytes), 0) AS down
        FROM trafficLedger AS entry JOIN trafficSources AS source ON source.id = entry.sourceId
        WHERE entry.clientId = ${clientId} AND ${kind === undefined ? sql`true` : sql`source.kind = ${kind}`}`.execute(
        store.reader,
      );
      return rows[0]!;
    },
    inbound: (id: number) =>
      store.reader.selectFrom('inbounds').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    addInbound: (tag: string, given: Partial<StoredInbound> = {}) =>
      storeInbound(store, { tag, nowMs: clock(), ...given }),
    live: (message: string) =>
      events.flatMap((event) => (event.type === 'live' && event.message === message ? [event.data] : [])),
    async close(): Promise<void> {
      await service.close();
      await opened.close();
    },
  };
  return panel;
}
export type TrafficPanel = Awaited<ReturnType<typeof trafficPanel>>;

/** @returns makes the store's next write fail: before it runs, or with its reply lost after the commit */
function failingWrites(store: Store) {
  const write = store.write.bind(store);
  let failNext: 'before' | 'after' | null = null;
  store.write = async (work) => {
    const mode = failNext;
    failNext = null;
    if (mode === 'before') throw new Error('disk full');
    const result = await write(work);
    if (mode === 'after') throw new Error('the answer was lost');
    return result;
  };
  return (mode: 'before' | 'after' | null): void => void (failNext = mode);
}

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
