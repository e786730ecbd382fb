import type { Basics } from '../../basics.ts';
import { actingAlone } from '../../../acting.ts';
import type { Schedule } from '../../../contract/schedule.ts';
import type { Core } from '../../../core/core.ts';
import type { Change, Runtime } from '../../../runtime/runtime.ts';
import type { ServingPlace } from '../../../runtime/serving-place.ts';
import type { OnReset } from '../counter-port.ts';
import { createLeftovers } from '../counting/leftovers.ts';
import { createLine } from '../../../concurrency.ts';
import { createEndedEarly } from './ended-early.ts';
import { enforceStep, type Step, type Users } from './enforce-step.ts';
import { nextDueMs, type EndedClient } from './repository-enforcement.ts';
import type { SessionEnder } from '../sessions/end-sessions.ts';
import { createWantedRestart } from './wanted-restart.ts';

export interface EnforcementDeps extends Pick<Basics, 'store' | 'clock' | 'monotonic' | 'publish' | 'log'> {
  core: Pick<Core, 'status'>;
  runtime: Pick<Runtime, 'stage' | 'apply' | 'restartCore'>;
  settings: { current(): { restartCoreOnClientDisable: boolean; timeLocation: string } };
  sessions: Pick<SessionEnder, 'ability' | 'cut' | 'cutFor' | 'readd'>;
  /** Counts everything moved until now. */
  settle: () => Promise<void>;
  onReset?: OnReset | undefined;
  schedule: Pick<Schedule, 'after'>;
  coreSource: string;
  place: ServingPlace;
}

/**
 * Renews, then disables clients, then inbounds, and updates the core. Independent of the counters: it works on the
 * stored state, so it also runs while the core is down and before it starts.
 */
export function createEnforcement(deps: EnforcementDeps) {
  const { store, core, runtime, sessions, clock, log } = deps;
  const inLine = createLine();
  const leftovers = createLeftovers(deps);
  const restart = createWantedRestart(deps);
  const giveBackEndedEarly = createEndedEarly(deps);

  function tellEnd(client: EndedClient, nowMs: number): void {
    const hasExpired = client.expiresAtMs > 0 && client.expiresAtMs <= nowMs;
    const kind = hasExpired ? 'client.expired' : 'client.depleted';
    deps.publish({ type: 'happened', kind, facts: { ...client } });
  }

  async function enforce(): Promise<void> {
    const made: Made = { users: [], offUsers: [], inboundIds: [], disabled: 0, renewed: 0, mayLeaveConnections: false };
    try {
      for (let isComplete = false; !isComplete;) {
        const nowMs = clock();
        // A request may have caused the reading, but the limits were set before it.
        const done = await actingAlone(() => store.write((trx) => enforceStep(deps, trx, nowMs)));
        isComplete = done.isComplete;
        made.users.push(...done.users);
        made.offUsers.push(...done.offUsers);
        made.inboundIds.push(...done.inboundIds);
        made.disabled += done.disabled;
        for (const client of done.ended) tellEnd(client, nowMs);
        made.renewed += done.renewed;
        made.mayLeaveConnections ||= done.mayLeaveConnections;
      }
    } finally {
      // Also after a failure: to the next run, what is committed by then is no longer due.
      await follow(made);
    }
  }

  /** Makes the core follow what is committed. */
  async function follow(made: Made): Promise<void> {
    const { users, offUsers, inboundIds, disabled, renewed, mayLeaveConnections } = made;
    if (disabled + renewed + inboundIds.length === 0) return;
    log.info('traffic.enforced', { disabled, renewed, inbounds: inboundIds.length });
    const { core: result } = await runtime.apply(merged(users, inboundIds));
    const reason = `${disabled} client(s) reached their quota or expired`;
    if (mayLeaveConnections && result.kind !== 'restarted')
      await endConnections(merged(offUsers, []).users ?? [], reason);
    deps.publish({ type: 'invalidate', resource: 'clients' });
    deps.publish({ type: 'invalidate', resource: 'inbounds' });
  }

  /**
   * Ends the connections of clients just removed from the core. Where single connections can be ended, higher steps are
   * only for clients the core still shows; a client it does not show is detected by the next byte it moves.
   */
  async function endConnections(users: NonNullable<Change['users']>, reason: string): Promise<void> {
    if (!(await sessions.ability()).canCut) return restart.want(reason, []);
    await leftovers.expecting(
      users.flatMap(({ emails }) => emails),
      async () => {
        const { report, udpInboundIds } = await sessions.cut(users, reason);
        if (report.leftCount === 0) return;
        const isUdpAlone = report.left.length === report.leftCount && report.left.every((one) => one.reason === 'udp');
        restart.want(reason, isUdpAlone ? udpInboundIds : []);
      },
    );
  }

  /** Disabled clients that still moved bytes. */
  async function endLeftovers(): Promise<void> {
    const { emails, mayCut } = leftovers.take();
    if (emails.length === 0) return;
    const reason = 'a client that was switched off still has an open connection';
    if (!mayCut || !(await sessions.ability()).canCut) return restart.want(reason, []);
    await leftovers.expecting(emails, async () => {
      const { report } = await sessions.cutFor(emails, reason);
      if (report.connections === 0 || report.leftCount > 0) restart.want(reason, []);
    });
  }

  return {
    /**
     * Enforces what is due now, unless another panel is active, then restarts the core if connections have to be cut
     * that way: at most once per call and never twice within 5 s. Only a few index lookups when nothing is due.
     * @returns when something is due next, in ms since the epoch; null = nothing is scheduled
     */
    run: (): Promise<number | null> =>
      inLine(async () => {
        if (!deps.place.isStandby) await giveBackEndedEarly();
        let dueMs = deps.place.isStandby ? null : await nextDueMs(store.reader, clock());
        if (dueMs === 0) {
          await enforce();
          dueMs = await nextDueMs(store.reader, clock());
        }
        await endLeftovers();
        await restart.runWhenDue();
        return dueMs;
      }),
    /** Ends open connections of clients that another panel has removed from this core. */
    endOff: (users: NonNullable<Change['users']>, reason: string): Promise<void> =>
      inLine(() => endConnections(users, reason)),
    /**
     * Clients disabled by the loop still moved bytes in this boot, so a connection outlived the removal of its user:
     * opened just before, or by a client the core does not list as connected.
     */
    noteLeftover(bootId: string, emails: readonly string[]): void {
      if (core.status().bootId === bootId) leftovers.note(emails);
    },
    /** Clients disabled moments ago: worth checking every second for remaining traffic. */
    watched: (): ReadonlySet<string> => leftovers.watched(),
    idle: (): Promise<void> => inLine(async () => undefined),
  };
}
export type Enforcement = ReturnType<typeof createEnforcement>;

/** What several transactions made. */
type Made = Omit<Step, 'ended' | 'isComplete'>;

/** One entry per inbound, however many transactions named it. */
function merged(users: Users, inboundIds: readonly number[]): Change {
  const emailsById = new Map<number, Set<string>>();
  for (const { inboundId, emails } of users) {
    const known = emailsById.get(inboundId) ?? new Set();
    for (const email of emails) known.add(email);
    emailsById.set(inboundId, known);
  }
  return {
    users: [...emailsById].map(([inboundId, emails]) => ({ inboundId, emails: [...emails] })),
    inboundIds: [...new Set(inboundIds)],
  };
}
