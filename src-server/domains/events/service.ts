import type { Basics } from '../basics.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { Subscribe } from '../../contract/events.ts';
import type { Settings } from '../settings/contract.ts';
import type { Channel, StoredEvent } from './channel.ts';
import type { EventKind } from './contract.ts';
import { createEventViews, PANEL_LIST, type EventViews } from './event-views.ts';
import { createQuietTime, type Happened } from './flapping.ts';
import { createIntake } from './intake.ts';
import { createDeliveryLine } from './line.ts';
import { pruneOld } from './prune.ts';
import { careful, type Registered, type Registration } from './registration.ts';
import * as rows from './repository.ts';
import * as lists from './repository-list.ts';
import { fromBus } from './sources/from-bus.ts';

const HOUR = 3_600_000;
/** Events per transaction when many come together. */
const AT_ONCE = 500;

export interface EventService extends EventViews {
  /** Records an event. Returns at once. */
  take(kind: EventKind, facts: StoredEvent['facts']): void;
  /** Records many events of one kind, stored in chunks. Resolves when all are stored. */
  takeAll(kind: EventKind, many: readonly StoredEvent['facts'][]): Promise<void>;
  /** Names of the channels that would get this event now, including the panel's list. */
  wantedBy(kind: EventKind, facts: StoredEvent['facts']): string[];
  /** @returns unregisters the channel; waiting deliveries stay. */
  register(channel: Channel, registration?: Registration): () => void;
  /** Deletes the deliveries of a removed channel. */
  forget(channelName: string): Promise<void>;
  /** @throws {DomainError} `events.unknownDelivery`, `events.notTaken` */
  retry(channelName: string, eventId: number): Promise<void>;
  /** Aborts deliveries in progress. Accepted events are stored first. */
  close(): Promise<void>;
}

/** Accepts events, stores them and delivers them through every channel. See docs/notifications.md. */
export function createEventService(
  deps: Pick<Basics, 'store' | 'clock' | 'schedule' | 'log' | 'publish'> & {
    subscribe: Subscribe;
    settings: { current(): Settings };
    readMark: { read(): Promise<number>; write(id: number): Promise<void> };
  },
): EventService {
  const { store, clock, schedule, log, publish, subscribe, settings, readMark } = deps;
  const registered = new Map<string, Registered>();
  const changed = (): void => publish({ type: 'invalidate', resource: 'events' });
  const intake = createIntake({
    store,
    clock,
    schedule,
    log,
    listening: () => [...registered.values()],
    onStored(_events, deliveries) {
      for (const { channel, dueAtMs } of deliveries) registered.get(channel)?.line.wake(dueAtMs);
      changed();
    },
  });
  const take = createQuietTime(schedule, (event) => intake.take(event));
  const unsubscribe = subscribe((event) => {
    const happened = fromBus(event, clock());
    if (happened !== null) take(happened);
  });
  const prune = schedule.every(HOUR, () => pruneOld(store, clock(), [...registered.keys()]));

  const views = createEventViews({ store, settings, readMark, registered: () => registered.values(), changed });

  return {
    ...views,
    take: (kind, facts) => take({ kind, atMs: clock(), facts } satisfies Happened),
    async takeAll(kind, many) {
      for (let from = 0; from < many.length; from += AT_ONCE) {
        for (const facts of many.slice(from, from + AT_ONCE)) take({ kind, atMs: clock(), facts });
        await intake.flush();
      }
    },
    wantedBy(kind, facts) {
      const event: StoredEvent = { id: 0, kind, atMs: clock(), facts };
      const wanting = [...registered.values()].filter(({ channel }) => channel.wants(event));
      return [...(views.isListed(kind, facts) ? [PANEL_LIST.name] : []), ...wanting.map(({ channel }) => channel.name)];
    },
    register(given, registration = given.name === 'bot' ? { setting: 'tgEnabledEvents' } : {}) {
      const channel = careful(given, log);
      const { name } = channel;
      const line = createDeliveryLine({
        channel,
        store,
        clock,
        schedule,
        log,
        settled: () => intake.idle(),
        onChanged: changed,
      });
      registered.set(name, { channel, registration, line, isEach: registration.isEach === true });
      line.wake(clock());
      return () => {
        line.close();
        if (registered.get(name)?.line === line) registered.delete(name);
      };
    },
    forget: (name) => store.write((trx) => rows.dropChannel(trx, name)),
    async retry(name, eventId) {
      const event = await lists.deadDelivery(store.reader, name, eventId);
      if (event === undefined) throw new DomainError('events.unknownDelivery');
      const to = registered.get(name);
      // The queue would drop it without a word.
      if (to === undefined || !to.channel.wants(rows.toEvent(event))) throw new DomainError('events.notTaken');
      await store.write((trx) =>
        rows.settleDelivery(trx, name, eventId, { state: 'waiting', attempts: 0, dueAtMs: clock() }),
      );
      to.line.wake(clock());
      changed();
    },
    async close() {
      unsubscribe();
      prune.cancel();
      for (const { line } of registered.values()) line.close();
      await intake.flush();
    },
  };
}
