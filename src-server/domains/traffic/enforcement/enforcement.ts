import type { Basics } from '../../basics.ts';
import { actingAlone } from '../../../acting.ts';
import type { Schedule } from '../../../contract/schedule.ts';
import type { Core } from '../../../core/core.ts';
import type { Change, Runtime } from '../../../runtime/runtime.ts';
import { runsHere, type ServingPlace } from '../../../runtime/serving-place.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import { resetAll, type OnReset } from '../counter-port.ts';
import { createLeftovers } from '../counting/leftovers.ts';
import { nextMonthDays, panelZone } from './month-day.ts';
import { createLine } from '../../../concurrency.ts';
import { usersOf } from '../counting/repository-bookkeeping.ts';
import {
  clientsToDisable,
  clientsToRenew,
  disableClients,
  disableInbounds,
  endedClients,
  mayBeConnected,
  nextDueMs,
  renew,
  type EndedClient,
} from './repository-enforcement.ts';
import type { SessionLadder } from '../sessions/session-ladder.ts';

/** Clients per transaction: 50,000 expiring within the same hour must not block other writes. */
const CLIENTS_PER_WRITE = 500;
/**
 * Automatic restarts cut all connections; two are never closer than this. Below the 12 s within which one must happen.
 */
const RESTART_GAP_MS = 5_000;
const RETRY_MS = 30_000;

export interface EnforcementDeps extends Pick<Basics, 'store' | 'clock' | 'monotonic' | 'publish' | 'log'> {
  core: Pick<Core, 'status'>;
  runtime: Pick<Runtime, 'stage' | 'apply' | 'restartCore'>;
  settings: { current(): { restartCoreOnClientDisable: boolean; timeLocation: string } };
  sessions: Pick<SessionLadder, 'ability' | 'cut' | 'cutFor' | 'readd'>;
  /** Counts everything moved until now. */
  settle: () => Promise<void>;
  onReset?: OnReset | undefined;
  schedule: Pick<Schedule, 'after'>;
  coreSource: string;
  place: ServingPlace;
}

type Users = { inboundId: number; emails: string[] }[];

/** Result of one transaction of the loop. */
interface Step {
  renewed: number;
  disabled: number;
  ended: EndedClient[];
  inboundIds: number[];
  users: Users;
  /** Disabled clients on inbounds of this core whose connections outlive the removal of their user. */
  offUsers: Users;
  /** Whether a disabled client may still have a connection that outlives the removal of its user. */
  mayLeaveConnections: boolean;
  isComplete: boolean;
}

/**
 * Renews, then disables clients, then inbounds, and updates the core. Independent of the counters: it works on the
 * stored state, so it also runs while the core is down and before it starts.
 */
export function createEnforcement(deps: EnforcementDeps) {
  const { store, core, runtime, clock, monotonic, log } = deps;
  const { sessions } = deps;
  const inLine = createLine();
  const leftovers = createLeftovers(deps);
  /**
   * The boot whose connections must be ended, why, and the inbounds for which adding them again is enough (empty =
   * restart).
   */
  let wanted: { bootId: string; reason: string; inboundIds: number[] } | null = null;
  let notBeforeMs = -Infinity;

  async function step(trx: WriteTransaction, nowMs: number): Promise<Step> {
    const renewedIds = await clientsToRenew(trx, nowMs, CLIENTS_PER_WRITE);
    const renewed = JSON.stringify(renewedIds);
    if (renewedIds.length > 0) {
      await resetAll(trx, renewed, nowMs);
      await deps.onReset?.(trx, renewed);
      await renew(trx, renewed, nextMonthDays(nowMs, panelZone(deps.settings.current())), nowMs);
    }
    // All renewals run before any client is disabled, or a client of the next batch would lose its connection.
    const isRenewed = renewedIds.length < CLIENTS_PER_WRITE;
    const disabledIds = isRenewed ? await clientsToDisable(trx, nowMs, CLIENTS_PER_WRITE) : [];
    const disabled = JSON.stringify(disabledIds);
    if (disabledIds.length > 0) await disableClients(trx, disabled, nowMs);
    const isComplete = isRenewed && disabledIds.length < CLIENTS_PER_WRITE;
    const inboundIds = isComplete ? await disableInbounds(trx, nowMs) : [];

    const cutUsers = disabledIds.length > 0 ? await usersOf(trx, disabled) : [];
    const backUsers = renewedIds.length > 0 ? await usersOf(trx, renewed) : [];
    const users = [...cutUsers, ...backUsers].map(({ inboundId, emails }) => ({ inboundId, emails }));
    // Nodes and other servers take the further steps themselves.
    const isFurther = deps.settings.current().restartCoreOnClientDisable;
    const isHere = ({ isLocal, serverId }: (typeof cutUsers)[number]): boolean =>
      isLocal && runsHere(deps.place, serverId);
    const elsewhere = isFurther ? cutUsers.filter((users) => !isHere(users)) : [];
    const endSessions = elsewhere.length > 0 ? { endSessions: { how: 'asNeeded', users: elsewhere } as const } : {};
    if (users.length + inboundIds.length > 0) await runtime.stage(trx, { users, inboundIds, ...endSessions });
    // The core drops wireguard peers at once; every other protocol keeps open connections.
    const offUsers = cutUsers.filter((users) => isHere(users) && users.protocol !== 'wireguard');
    const { startedAtMs } = core.status();
    return {
      renewed: renewedIds.length,
      disabled: disabledIds.length,
      ended: disabledIds.length > 0 ? await endedClients(trx, disabled) : [],
      inboundIds,
      users,
      offUsers,
      mayLeaveConnections:
        offUsers.length > 0 &&
        startedAtMs !== null &&
        (await mayBeConnected(trx, deps.coreSource, disabled, startedAtMs)),
      isComplete,
    };
  }

  function tellEnd(client: EndedClient, nowMs: number): void {
    const hasExpired = client.expiresAtMs > 0 && client.expiresAtMs <= nowMs;
    const kind = hasExpired ? 'client.expired' : 'client.depleted';
    deps.publish({ type: 'happened', kind, facts: { ...client } });
  }

  async function enforce(): Promise<void> {
    const users: Users = [];
    const offUsers: Users = [];
    const inboundIds: number[] = [];
    let disabled = 0;
    let renewed = 0;
    let mayLeaveConnections = false;
    for (let isComplete = false; !isComplete;) {
      const nowMs = clock();
      // A request may have caused the reading, but the limits were set before it.
      const done = await actingAlone(() => store.write((trx) => step(trx, nowMs)));
      isComplete = done.isComplete;
      users.push(...done.users);
      offUsers.push(...done.offUsers);
      inboundIds.push(...done.inboundIds);
      disabled += done.disabled;
      for (const client of done.ended) tellEnd(client, nowMs);
      renewed += done.renewed;
      mayLeaveConnections ||= done.mayLeaveConnections;
    }
    if (disabled + renewed + inboundIds.length === 0) return;
    log.info('traffic.enforced', { disabled, renewed, inbounds: inboundIds.length });
    const { core: outcome } = await runtime.apply(merged(users, inboundIds));
    const reason = `${disabled} client(s) reached their quota or expired`;
    if (mayLeaveConnections && outcome.kind !== 'restarted')
      await endConnections(merged(offUsers, []).users ?? [], reason);
    deps.publish({ type: 'invalidate', resource: 'clients' });
    deps.publish({ type: 'invalidate', resource: 'inbounds' });
  }

  /**
   * Ends the connections of clients just removed from the core. Where single connections can be ended, higher steps are
   * only for clients the core still shows; a client it does not show is detected by the next byte it moves.
   */
  async function endConnections(users: NonNullable<Change['users']>, reason: string): Promise<void> {
    if (!(await sessions.ability()).canCut) return want(reason, []);
    await leftovers.expecting(
      users.flatMap(({ emails }) => emails),
      async () => {
        const { report, udpInboundIds } = await sessions.cut(users, reason);
        if (report.leftCount === 0) return;
        const isUdpAlone = report.left.length === report.leftCount && report.left.every((one) => one.reason === 'udp');
        want(reason, isUdpAlone ? udpInboundIds : []);
      },
    );
  }

  /** Disabled clients that still moved bytes. */
  async function endLeftovers(): Promise<void> {
    const { emails, mayCut } = leftovers.take();
    if (emails.length === 0) return;
    const reason = 'a client that was switched off still has an open connection';
    if (!mayCut || !(await sessions.ability()).canCut) return want(reason, []);
    await leftovers.expecting(emails, async () => {
      const { report } = await sessions.cutFor(emails, reason);
      if (report.connections === 0 || report.leftCount > 0) want(reason, []);
    });
  }

  function want(reason: string, inboundIds: number[]): void {
    const { bootId, state } = core.status();
    if (state !== 'running' || bootId === null || !deps.settings.current().restartCoreOnClientDisable) return;
    const isRestart = inboundIds.length === 0 || wanted?.inboundIds.length === 0;
    wanted = { bootId, reason, inboundIds: isRestart ? [] : [...(wanted?.inboundIds ?? []), ...inboundIds] };
  }

  async function restartWhenWanted(): Promise<void> {
    if (wanted === null || monotonic() < notBeforeMs) return;
    const { bootId, reason, inboundIds } = wanted;
    if (core.status().bootId !== bootId || !deps.settings.current().restartCoreOnClientDisable) {
      wanted = null;
      return;
    }
    notBeforeMs = monotonic() + RESTART_GAP_MS;
    try {
      await (inboundIds.length > 0 ? sessions.readd(inboundIds, reason) : runtime.restartCore(reason));
      wanted = null;
    } catch (error) {
      // The old core keeps running without the removed users, so new connections are refused all the same.
      notBeforeMs = monotonic() + RETRY_MS;
      log.error('traffic.restartFailed', { reason, error });
    }
  }

  return {
    /**
     * Enforces what is due now, unless another panel is active, then restarts the core if connections have to be cut
     * that way: at most once per call and never twice within 5 s. Only a few index lookups when nothing is due.
     * @returns when something is due next, in ms since the epoch; null = nothing is scheduled
     */
    run: (): Promise<number | null> =>
      inLine(async () => {
        let dueMs = deps.place.isStandby ? null : await nextDueMs(store.reader, clock());
        if (dueMs === 0) {
          await enforce();
          dueMs = await nextDueMs(store.reader, clock());
        }
        await endLeftovers();
        await restartWhenWanted();
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
