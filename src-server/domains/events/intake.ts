import type { Logger } from '../../contract/logger.ts';
import type { Schedule } from '../../contract/schedule.ts';
import type { Store, WriteTransaction } from '../../store/open-store.ts';
import type { Channel, StoredEvent } from './channel.ts';
import { nameOf, type Happened } from './flapping.ts';
import * as rows from './repository.ts';

const FLUSH_MS = 250;
const AGAIN_MS = 5_000;
/** How long a delivery waits for more of its kind. */
const BATCH_MS = 3_000;
/** A summary waits for a pause this long: nodes are polled every five seconds. */
const PAUSE_MS = 6_000;
const LONGEST_STORM_MS = 30_000;
/** More than this many of a kind at once are a storm. */
const MAX_SINGLE = 5;
const MAX_NAMED = 10;
/** Most characters of the names of a summary: its text cuts a longer line (event-text.ts). */
const MAX_NAME_CHARACTERS = 300;
/** If the database refuses writes, more than this many events are dropped. */
const MAX_HELD = 20_000;

/** A channel as the intake sees it. */
export interface Listening {
  channel: Channel;
  /** Notifies each client individually, so it gets the members of a summary instead of the summary. */
  isEach: boolean;
}

/** Events of a kind that came together and are not delivered yet. */
interface Batch {
  openedAtMs: number;
  dueAtMs: number;
  memberIds: number[];
  summaryId: number | null;
  count: number;
  names: string[];
}

/** Accepts events without delaying their publisher, and stores them a moment later, each with its deliveries. */
export function createIntake(deps: {
  store: Store;
  clock: () => number;
  schedule: Schedule;
  log: Logger;
  listening: () => readonly Listening[];
  /** After a commit. */
  onStored: (events: readonly StoredEvent[], deliveries: readonly rows.NewDelivery[]) => void;
}) {
  const { store, clock, schedule, log, listening, onStored } = deps;
  let held: Happened[] = [];
  let batches = new Map<string, Batch>();
  let isTimed = false;
  let writing: Promise<void> = Promise.resolve();

  function arm(delayMs: number): void {
    if (isTimed) return;
    isTimed = true;
    schedule.after(delayMs, async () => {
      isTimed = false;
      await flush();
    });
  }

  async function writeHeld(): Promise<void> {
    if (held.length === 0) return;
    const taken = held;
    held = [];
    const plan = createPlan(batches, clock(), listening());
    try {
      await store.write(async (trx) => {
        plan.start((await rows.lastEventId(trx)) + 1);
        for (const event of taken) plan.add(event);
        await plan.write(trx);
      });
    } catch (error) {
      held = [...taken, ...held].slice(0, MAX_HELD);
      log.error('notify.notStored', { error, waiting: held.length });
      arm(AGAIN_MS);
      return;
    }
    batches = plan.batches;
    onStored(plan.events, plan.deliveries);
  }

  function flush(): Promise<void> {
    writing = writing.then(writeHeld);
    return writing;
  }

  return {
    take(event: Happened): void {
      if (held.length >= MAX_HELD) return;
      held.push(event);
      arm(FLUSH_MS);
    },
    /** Resolves when nothing is being written. */
    idle: (): Promise<void> => writing,
    /** Writes the accepted events. */
    flush,
  };
}

/** A successful sign-in must not drown among refused ones. */
const batchKey = ({ kind, facts }: Happened): string =>
  kind === 'login.attempt' ? `${kind} ${String(facts['ok'])}` : kind;

/** Collects what one transaction writes. Works on copies, so that a failed one leaves no trace. */
function createPlan(before: ReadonlyMap<string, Batch>, nowMs: number, listening: readonly Listening[]) {
  const batches = new Map(
    [...before].map(([key, one]) => [key, { ...one, memberIds: [...one.memberIds], names: [...one.names] }]),
  );
  const events: rows.NewEvent[] = [];
  const deliveries: rows.NewDelivery[] = [];
  const joins: { summaryId: number; memberIds: number[] }[] = [];
  const grown = new Map<number, { facts: StoredEvent['facts']; dueAtMs: number }>();
  let nextId = 1;

  function deliver(event: StoredEvent, dueAtMs: number, isEach: boolean): void {
    for (const { channel, isEach: wantsEach } of listening) {
      if (wantsEach === isEach && channel.wants(event))
        deliveries.push({ channel: channel.name, eventId: event.id, dueAtMs });
    }
  }

  const summaryFacts = ({ count, names }: Batch, facts: StoredEvent['facts']): StoredEvent['facts'] => ({
    ...(facts['ok'] === undefined ? {} : { ok: facts['ok'] }),
    count,
    names: names.join(', '),
    named: names.length,
  });

  function open(key: string): Batch {
    const batch: Batch = {
      openedAtMs: nowMs,
      dueAtMs: nowMs + BATCH_MS,
      memberIds: [],
      summaryId: null,
      count: 0,
      names: [],
    };
    batches.set(key, batch);
    return batch;
  }

  /** Called for the first event above the limit: it and those before it become members. */
  function summarise(batch: Batch, { kind, facts }: Happened, atMs: number): void {
    const summaryId = nextId++;
    batch.summaryId = summaryId;
    const summary = { id: summaryId, kind, atMs, facts: summaryFacts(batch, facts), summaryId: null };
    events.push(summary);
    joins.push({ summaryId, memberIds: batch.memberIds });
    deliver(summary, batch.dueAtMs, false);
    // Individual notifications were queued as the members came.
  }

  return {
    batches,
    events,
    deliveries,
    start: (id: number) => void (nextId = id),
    add(happened: Happened): void {
      const key = batchKey(happened);
      const present = batches.get(key);
      // A due one may be being delivered.
      const batch = present === undefined || nowMs >= present.dueAtMs ? open(key) : present;
      const id = nextId++;
      const name = nameOf(happened);
      batch.count += 1;
      const names = [...batch.names, name.slice(0, 100)];
      const isRoom = names.length <= MAX_NAMED && names.join(', ').length <= MAX_NAME_CHARACTERS;
      if (name !== '' && isRoom) batch.names = names;
      const isStorm = batch.count > MAX_SINGLE;
      if (isStorm) {
        const latestMs = Math.max(batch.dueAtMs, batch.openedAtMs + LONGEST_STORM_MS);
        batch.dueAtMs = Math.min(Math.max(batch.dueAtMs, nowMs + PAUSE_MS), latestMs);
        if (batch.summaryId === null) summarise(batch, happened, happened.atMs);
        grown.set(batch.summaryId!, {
          facts: summaryFacts(batch, happened.facts),
          dueAtMs: batch.dueAtMs,
        });
      } else batch.memberIds.push(id);
      const event = { id, ...happened, summaryId: batch.summaryId };
      events.push(event);
      deliver(event, batch.dueAtMs, true);
      if (!isStorm) deliver(event, batch.dueAtMs, false);
    },
    async write(trx: WriteTransaction): Promise<void> {
      // A member names its summary, whose id is smaller only when the summary came first.
      await rows.insertEvents(
        trx,
        [...events].sort((a, b) => Number(a.summaryId !== null) - Number(b.summaryId !== null)),
      );
      await rows.insertDeliveries(trx, deliveries);
      const summarized = listening.filter(({ isEach }) => !isEach).map(({ channel }) => channel.name);
      for (const { summaryId, memberIds } of joins) await rows.joinSummary(trx, summaryId, memberIds, summarized);
      for (const [id, { facts, dueAtMs }] of grown) await rows.growSummary(trx, id, facts, dueAtMs);
    },
  };
}
