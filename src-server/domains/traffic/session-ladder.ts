import type * as z from 'zod';
import { parseJsonObject } from '../../contract/json-text.ts';
import type { Logger } from '../../contract/logger.ts';
import { transportsOf } from '../../core/config/inbound-traits.ts';
import type { Core, OnlineUser } from '../../core/core.ts';
import type { Replaced } from '../../core/sessions/replace-inbounds.ts';
import type { Ability, SocketCutter } from '../../core/sessions/socket-cutter.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Store } from '../../store/open-store.ts';
import type { SessionChoice, SessionReport } from './contract.ts';
import { findEmails } from './repository-live.ts';
import { inboundsAttached, inboundsInUse, sessionPlaces } from './repository-sessions.ts';
import { addressesOf, cutTargets, leftAfterCut, type LeftReason, type SessionPlan } from './session-cut.ts';

/** Clients named in one report; the number of all is beside them. */
const MAX_LEFT = 100;
/** Clients that were removed or switched off lately and whose next step may still be asked for. */
const MAX_REMEMBERED = 10_000;
const MAX_RECENT = 50;
/** Up to this many clients are asked about one by one before everybody who is connected is read. */
const FEW = 8;

export type Report = z.infer<typeof SessionReport>;
/** Clients by the inbound their connections arrive at. */
export type SessionUsers = readonly { inboundId: number; emails: readonly string[] }[];

/** What the ladder needs of the core. */
export interface SessionCore extends Pick<Core, 'status' | 'onlineUsers'> {
  readonly sockets: SocketCutter;
  hasConnections(emails: readonly string[]): Promise<boolean | null>;
  replaceInbounds(inboundIds: readonly number[]): Promise<Replaced>;
}

export interface SessionLadderDeps {
  store: Store;
  core: SessionCore;
  runtime: Pick<Runtime, 'restartCore'>;
  panelGuid: string;
  /** Addresses these clients were seen at within the last half hour. */
  recentAddresses: (emails: readonly string[]) => ReadonlyMap<string, readonly string[]>;
  clock: () => number;
  log: Logger;
}

/** What was done, and which inbounds would have to be added anew for the rest. */
export interface Attempt {
  report: Report;
  udpInboundIds: number[];
}

/**
 * Ends open sessions of clients whose credentials no longer work, on the lowest step that does it and hurts nobody else:
 * the very connections, the QUIC inbound they use, the core. Higher steps are only taken when they are asked for.
 */
export interface SessionLadder {
  ability(): Promise<Ability>;
  /** Ends what can be ended without touching anybody else. */
  cut(users: SessionUsers, cause: string): Promise<Attempt>;
  /** As {@link cut} for clients by e-mail, wherever they are attached. */
  cutFor(emails: readonly string[], cause: string): Promise<Attempt>;
  /** Ends only connections from these addresses. */
  cutAt(pairs: readonly { email: string; address: string }[]): Promise<void>;
  /** Adds inbounds anew, which ends their QUIC sessions. */
  readd(inboundIds: readonly number[], cause: string): Promise<void>;
  /** Takes the step asked for, the lower ones first. @throws what a restart of the core throws */
  take(users: SessionUsers, choice: SessionChoice, cause: string): Promise<Report>;
  /** As {@link take} for clients by e-mail, those deleted or switched off a while ago included. */
  takeFor(emails: readonly string[], choice: SessionChoice, cause: string): Promise<Report>;
  /** The last reports, newest first. */
  recent(): readonly (Report & { atMs: number; cause: string })[];
}

const NOTHING: Report = { step: 'none', connections: 0, left: [], leftCount: 0, offers: [], note: '' };

export function createSessionLadder(deps: SessionLadderDeps): SessionLadder {
  const { store, core, runtime, clock, log } = deps;
  const remembered = new Map<string, Set<number>>();
  const reports: (Report & { atMs: number; cause: string })[] = [];

  function remember(users: SessionUsers): void {
    for (const { inboundId, emails } of users) {
      for (const email of emails) {
        const ids = remembered.get(email) ?? new Set();
        remembered.delete(email);
        remembered.set(email, ids.add(inboundId));
      }
    }
    for (const email of remembered.keys()) {
      if (remembered.size <= MAX_REMEMBERED) break;
      remembered.delete(email);
    }
  }

  async function online(): Promise<OnlineUser[] | null> {
    try {
      return await core.onlineUsers();
    } catch (error) {
      log.warn('traffic.onlineUnknown', { error });
      return null;
    }
  }

  /** Whether these few clients have nothing open and had nothing lately: the usual case, told without reading everybody. */
  async function isSurelyIdle(users: SessionUsers): Promise<boolean> {
    const emails = [...new Set(users.flatMap((entry) => entry.emails))];
    if (emails.length > FEW) return false;
    const recent = deps.recentAddresses(emails);
    if (emails.some((email) => (recent.get(email) ?? []).length > 0)) return false;
    try {
      return (await core.hasConnections(emails)) === false;
    } catch (error) {
      log.warn('traffic.onlineUnknown', { error });
      return false;
    }
  }

  /** Who else is connected from the addresses, by port. */
  async function othersAt(users: readonly OnlineUser[], own: ReadonlySet<string>, addresses: ReadonlySet<string>) {
    const others = users
      .filter(({ email }) => !own.has(email))
      .map(({ email, ips }) => ({ email, ips: ips.map(({ ip }) => ip).filter((ip) => addresses.has(ip)) }))
      .filter(({ ips }) => ips.length > 0);
    const present = await findEmails(
      store,
      deps.panelGuid,
      others.map(({ email }) => email),
    );
    const inUse = await inboundsInUse(store.reader, [...new Set(present.values())]);
    const places = new Map((await sessionPlaces(store.reader, idsOf(inUse))).map((place) => [place.inboundId, place]));
    const shared = new Set<string>();
    for (const { email, ips } of others) {
      const now = present.get(email);
      for (const link of inUse) {
        if (link.email !== now) continue;
        for (const port of places.get(link.inboundId)?.ports ?? [])
          for (const address of ips) shared.add(`${port} ${address}`);
      }
    }
    return (port: number, address: string): boolean => shared.has(`${port} ${address}`);
  }

  async function planned(users: SessionUsers, connected: readonly OnlineUser[] | null) {
    const places = await sessionPlaces(store.reader, idsOf(users));
    const kinds = new Map(
      places.map((place) => {
        const settings = parseJsonObject(place.settings) ?? {};
        const streamSettings = parseJsonObject(place.streamSettings);
        const transports = transportsOf({ protocol: place.protocol, settings, streamSettings });
        // The core itself drops a removed wireguard peer; UDP of shadowsocks is checked packet by packet.
        const isSession = place.protocol !== 'wireguard' && place.protocol !== 'shadowsocks';
        const udp = transports.includes('udp') && isSession;
        return [place.inboundId, { ports: transports.includes('tcp') ? place.ports : [], udp }] as const;
      }),
    );
    const addresses = addressesOf(connected ?? []);
    const plans = new Map<string, SessionPlan & { udpInboundIds: number[] }>();
    const emails = [...new Set(users.flatMap((entry) => entry.emails))];
    const recent = deps.recentAddresses(emails);
    for (const { inboundId, emails: names } of users) {
      const kind = kinds.get(inboundId);
      if (kind === undefined) continue;
      for (const email of names) {
        const plan = plans.get(email);
        plans.set(email, {
          email,
          ports: [...(plan?.ports ?? []), ...kind.ports],
          mayUseUdp: kind.udp || plan?.mayUseUdp === true,
          udpInboundIds: [...(plan?.udpInboundIds ?? []), ...(kind.udp ? [inboundId] : [])],
          live: addresses.get(email) ?? null,
          recent: recent.get(email) ?? [],
        });
      }
    }
    return [...plans.values()];
  }

  async function usersFor(emails: readonly string[]): Promise<SessionUsers> {
    const byInbound = new Map<number, Set<string>>();
    const add = (inboundId: number, email: string): void => {
      byInbound.set(inboundId, (byInbound.get(inboundId) ?? new Set()).add(email));
    };
    for (const { inboundId, email } of await inboundsAttached(store.reader, emails)) add(inboundId, email);
    for (const email of emails) for (const inboundId of remembered.get(email) ?? []) add(inboundId, email);
    return [...byInbound].map(([inboundId, names]) => ({ inboundId, emails: [...names] }));
  }

  /** Ends the planned connections that nobody else shares. */
  async function cutPlanned(plans: readonly SessionPlan[], connected: readonly OnlineUser[]) {
    const addresses = new Set(plans.flatMap(({ live, recent }) => [...(live ?? []), ...recent]));
    const isShared = await othersAt(connected, new Set(plans.map(({ email }) => email)), addresses);
    const ended = await core.sockets.cut(cutTargets(plans, isShared));
    const endedAt = new Set(ended.map(({ port, address }) => `${port} ${address}`));
    return {
      connections: ended.reduce((sum, { count }) => sum + count, 0),
      reasonFor: (plan: SessionPlan): LeftReason | null =>
        leftAfterCut(plan, (port, address) => endedAt.has(`${port} ${address}`), isShared),
    };
  }

  async function attempt(users: SessionUsers, isCutting: boolean): Promise<Attempt> {
    remember(users);
    if (core.status().state !== 'running' || users.length === 0) return { report: NOTHING, udpInboundIds: [] };
    if (await isSurelyIdle(users)) return { report: NOTHING, udpInboundIds: [] };
    const connected = await online();
    const plans = await planned(users, connected);
    const { canCut, reason: whyNot } = await core.sockets.ability();
    const left: { email: string; reason: LeftReason }[] = [];
    let connections = 0;
    if (!isCutting || !canCut || connected === null) {
      const otherwise = canCut ? 'unknown' : 'unable';
      for (const { email, live, ports } of plans) {
        if (live === null && connected !== null) continue;
        left.push({ email, reason: !isCutting ? 'chosen' : ports.length === 0 ? 'udp' : otherwise });
      }
    } else {
      const done = await cutPlanned(plans, connected);
      connections = done.connections;
      for (const plan of plans) {
        const reason = done.reasonFor(plan);
        if (reason !== null) left.push({ email: plan.email, reason });
      }
    }
    const stillOpen = new Set(left.map(({ email }) => email));
    const udpInboundIds = [
      ...new Set(plans.filter(({ email }) => stillOpen.has(email)).flatMap((plan) => plan.udpInboundIds)),
    ];
    const offers: Report['offers'] = [];
    if (left.length > 0 && !isCutting && canCut) offers.push('cut');
    if (udpInboundIds.length > 0) offers.push('readd');
    if (left.length > 0) offers.push('restart');
    return {
      report: {
        step: left.length > 0 && connections === 0 ? 'left' : connections > 0 ? 'cut' : 'none',
        connections,
        left: left.slice(0, MAX_LEFT),
        leftCount: left.length,
        offers,
        note: canCut ? '' : whyNot,
      },
      udpInboundIds,
    };
  }

  function note(report: Report, cause: string): Report {
    if (report.step === 'none') return report;
    reports.unshift({ atMs: clock(), cause, ...report });
    reports.length = Math.min(reports.length, MAX_RECENT);
    log.info('traffic.sessions', { cause, step: report.step, connections: report.connections, left: report.leftCount });
    return report;
  }

  async function take(users: SessionUsers, choice: SessionChoice, cause: string): Promise<Report> {
    const { report, udpInboundIds } = await attempt(users, choice !== 'leave');
    if (choice === 'restart') {
      if (core.status().state !== 'running') return report;
      await runtime.restartCore(cause);
      return note({ ...NOTHING, step: 'restarted', connections: report.connections }, cause);
    }
    if (choice !== 'readd' || udpInboundIds.length === 0) return note(report, cause);
    const replaced = await core.replaceInbounds(udpInboundIds);
    if (replaced === 'notRunning') return NOTHING;
    if (replaced === 'restarted')
      return note({ ...NOTHING, step: 'restarted', connections: report.connections }, cause);
    const left = report.left.filter(({ reason }) => reason !== 'udp');
    const leftCount = report.leftCount - (report.left.length - left.length);
    const offers: Report['offers'] = leftCount > 0 ? ['restart'] : [];
    return note({ ...report, step: 'readded', left, leftCount, offers }, cause);
  }

  async function cut(users: SessionUsers, cause: string): Promise<Attempt> {
    const done = await attempt(users, true);
    note(done.report, cause);
    return done;
  }

  return {
    ability: () => core.sockets.ability(),
    cut,
    cutFor: async (emails, cause) => cut(await usersFor(emails), cause),
    async cutAt(pairs) {
      const connected = await online();
      if (connected === null || !(await core.sockets.ability()).canCut) return;
      const named = Map.groupBy(pairs, ({ email }) => email);
      const plans = await planned(await usersFor([...named.keys()]), connected);
      await cutPlanned(
        plans.map((plan) => ({
          ...plan,
          live: (named.get(plan.email) ?? []).map(({ address }) => address),
          recent: [],
        })),
        connected,
      );
    },
    async readd(inboundIds, cause) {
      const replaced = await core.replaceInbounds(inboundIds);
      if (replaced !== 'notRunning')
        note({ ...NOTHING, step: replaced === 'restarted' ? 'restarted' : 'readded' }, cause);
    },
    take,
    takeFor: async (emails, choice, cause) => take(await usersFor(emails), choice, cause),
    recent: () => reports,
  };
}

function idsOf(entries: readonly { inboundId: number }[]): number[] {
  return [...new Set(entries.map(({ inboundId }) => inboundId))];
}
