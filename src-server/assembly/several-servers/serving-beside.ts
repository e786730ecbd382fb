import { isDatabaseAway } from '../../contract/database-away.ts';
import type { Timer } from '../../contract/schedule.ts';
import { notAllowedOn } from '../../domains/traffic/sessions/repository-off.ts';
import { readChange } from '../../runtime/other-servers.ts';
import { mergeChanges, type Change } from '../../runtime/runtime.ts';
import type { Engine } from '../engine.ts';
import type { Foundation } from '../foundation.ts';

const EVERYTHING: Change = { everything: true };
const RETRY_MS = 5_000;
const REPORT_MS = 5_000;
const SEEN_MS = 60_000;

/**
 * A standby panel runs the inbounds that name its server: it follows the active panel's changes to them, and counts.
 * What its core had counted before is booked first.
 * @returns when the core's first start has ended, successfully or not
 */
export function serveBeside(base: Foundation, engine: Engine): { coreBooted: Promise<void> } {
  const { closers, store, settings, servers, place, options, edgeSchedule: schedule, log } = base;
  const { core, traffic, clientIps } = engine;
  let waiting: Change[] = [];
  let following: Promise<void> | null = null;
  let retry: Timer | null = null;
  let isClosed = false;

  const ownInbounds = async (): Promise<number[]> => {
    const rows = await store.reader
      .selectFrom('inbounds')
      .select('id')
      .where('serverId', '=', place.serverId)
      .where('enable', '=', 1)
      .where('nodeId', 'is', null)
      .execute();
    return rows.map(({ id }) => id);
  };

  function follow(change: Change): void {
    if (isClosed) return;
    waiting.push(change);
    following ??= followAll().finally(() => (following = null));
  }

  async function followAll(): Promise<void> {
    while (waiting.length > 0) {
      const taken = waiting;
      waiting = [];
      try {
        await bringInLine(
          mergeChanges(taken),
          taken.flatMap(({ endSessions }) => endSessions ?? []),
        );
      } catch (error) {
        if (!isDatabaseAway(error)) log.error('standby.notFollowed', { error });
        // Each message comes only once.
        retry?.cancel();
        retry = schedule.after(RETRY_MS, async () => follow(EVERYTHING));
      }
    }
  }

  async function bringInLine(change: Change, endings: readonly NonNullable<Change['endSessions']>[]): Promise<void> {
    await settings.refresh();
    const own = await ownInbounds();
    if (own.length === 0) await core.rest();
    else if (core.status().state === 'stop') await core.boot();
    else {
      const isNamed = change.everything !== true && change.inboundIds?.length === 0;
      const users = change.users ?? [];
      if (core.status().state === 'running')
        await traffic.handOver(isNamed ? [...new Set(users.flatMap(({ emails }) => emails))] : null);
      const result = await core.apply(change);
      if (result.kind !== 'restarted' && result.kind !== 'notRunning')
        await endSessions(isNamed ? users : await connectedOn(own), endings);
    }
    await report();
  }

  /** Every connected client, at each of these inbounds: which one it uses is not known. */
  async function connectedOn(inboundIds: readonly number[]): Promise<NonNullable<Change['users']>> {
    const emails = ((await core.onlineUsers()) ?? []).map(({ email }) => email);
    return emails.length === 0 ? [] : inboundIds.map((inboundId) => ({ inboundId, emails }));
  }

  /** The core checks users at the handshake only: open connections go on unless they are ended. */
  async function endSessions(
    users: NonNullable<Change['users']>,
    endings: readonly NonNullable<Change['endSessions']>[],
  ): Promise<void> {
    const reason = 'taken off by the active panel';
    const chosen = new Set<string>();
    for (const { how, users: named } of endings) {
      if (how === 'asNeeded') continue;
      for (const { inboundId, emails } of named) for (const email of emails) chosen.add(`${inboundId} ${email}`);
      if (how !== 'leave' && named.length > 0) await traffic.sessions.take(named, how, reason);
    }
    const off: { inboundId: number; emails: string[] }[] = [];
    for (const { inboundId, emails } of users) {
      const others = emails.filter((email) => !chosen.has(`${inboundId} ${email}`));
      const left = others.length === 0 ? [] : await notAllowedOn(store.reader, inboundId, others);
      if (left.length > 0) off.push({ inboundId, emails: left });
    }
    if (off.length > 0) await traffic.endOff(off, reason);
  }

  async function report(): Promise<void> {
    const { state } = core.status();
    await servers?.reportCore(state === 'stop' ? null : core.status());
  }

  async function begin(): Promise<void> {
    await traffic.takeOver();
    follow(EVERYTHING);
    await following;
    // Unbooked counts of the previous core wait for a reading, whether or not there is a core to read.
    await traffic.finalRead().catch((error: unknown) => log.error('standby.notSettled', { error }));
    if (isClosed) return;
    traffic.start();
    clientIps.start({ expires: false });
    schedule.every(REPORT_MS, async () => {
      await settings.refresh();
      await report();
    });
    schedule.every(SEEN_MS, () => servers?.noteSeen());
  }

  const unfollow = options.changes?.follow({
    changed: (text) => follow(readChange(text)),
    missed: () => follow(EVERYTHING),
  });
  const coreBooted = begin().catch((error: unknown) => log.error('standby.notServing', { error }));
  closers.push(async () => {
    isClosed = true;
    waiting = [];
    unfollow?.();
    await following;
    retry?.cancel();
  });
  return { coreBooted };
}
