import type { Basics } from '../../basics.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { PLAUSIBLE_FROM_MS } from '../../../contract/plausible-clock.ts';
import { failpoint } from '../../../failpoints/failpoint.ts';
import { creditsOf } from '../ledger/credits.ts';
import { COUNTER_KINDS, type BaselineBook } from './baselines.ts';
import type { Differences } from './measure-reading.ts';
import { usersOf } from './repository-bookkeeping.ts';
import { commitCounters, type Committed } from './repository-commit.ts';
import { takeChangedOwners } from './repository-counters.ts';

/** Two readings of one clock are less than this apart. */
const APART_MS = 60_000;

export interface CommitReadingDeps extends Pick<Basics, 'store' | 'clock'> {
  runtime: Pick<Runtime, 'stage'>;
  /** The time that `clock` may not follow yet; absent = `clock` itself. */
  wallClock?: () => number;
}

/** What is committed beside the differences of a reading. */
export interface CommitReadingOptions {
  /** Users with an open connection whose last-seen time is raised. */
  connected: string[];
  /** Time in which the differences arose, in ms. Asked for in the transaction. */
  intervalMs: () => number;
  /** Runs during the commit. Never rejects. */
  whileCommitting: ((moved: Differences['moved']) => Promise<void>) | undefined;
}

/** Commits readings, each in one transaction; one that changes nothing writes nothing. */
export function createReadingCommit({ store, clock, wallClock = clock, runtime }: CommitReadingDeps) {
  const isKnown = (nowMs: number): boolean => nowMs >= PLAUSIBLE_FROM_MS && Math.abs(wallClock() - nowMs) < APART_MS;
  return async (
    opened: BaselineBook,
    { changed, implausible, moved }: Differences,
    { connected, intervalMs, whileCommitting }: CommitReadingOptions,
  ): Promise<Committed> => {
    let credits = creditsOf(changed.user, opened.tables.user.owners);
    if (connected.length === 0 && COUNTER_KINDS.every((kind) => changed[kind].ids.length === 0))
      return { activatedIds: [], nearQuota: [], leftover: [] };
    let beside: Promise<void> | undefined;
    const committed = await store.write(async (trx) => {
      if (await takeChangedOwners(trx, opened)) credits = creditsOf(changed.user, opened.tables.user.owners);
      const nowMs = clock();
      const writing = commitCounters(trx, {
        sourceId: opened.sourceId,
        nowMs,
        startsTerms: isKnown(nowMs),
        intervalMs: intervalMs(),
        credits,
        users: changed.user,
        inbounds: changed.inbound,
        outbounds: { tags: moved.outbound.names, ...changed.outbound },
        implausible,
        connected,
      });
      // Started once the writer has its work, so that it never waits for this thread.
      beside = whileCommitting?.(moved);
      const result = await writing;
      // A deadline that begins now must reach every place that serves the client; the local core keeps no deadlines.
      if (result.activatedIds.length > 0) {
        const users = await usersOf(trx, JSON.stringify(result.activatedIds));
        await runtime.stage(trx, { users: users.map(({ inboundId, emails }) => ({ inboundId, emails })) });
      }
      failpoint('tick.committing');
      return result;
    });
    failpoint('tick.committed');
    await beside;
    return committed;
  };
}
