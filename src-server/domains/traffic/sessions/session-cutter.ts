import type { Logger } from '../../../contract/logger.ts';
import type { Core, OnlineUser } from '../../../core/core.ts';
import type { SocketCutter } from '../../../core/sessions/socket-cutter.ts';
import type { Store } from '../../../store/open-store.ts';
import { cutTargets, leftAfterCut, type LeftReason, type SessionPlan } from './session-cut.ts';
import { planSessions, type InboundPlan, type RecentAddresses } from './session-plans.ts';
import { NOTHING, type Report } from './session-reports.ts';
import { emailsOf, type SessionUserFinder, type SessionUsers } from './session-users.ts';
import { sharedAddresses } from './shared-addresses.ts';

/** Clients named in one report; it also has the total. */
const MAX_LEFT = 100;
/** Up to this many clients are checked one by one; beyond that, all connected users are read. */
const FEW = 8;

/** What cutting needs of the core. */
export interface CutterCore extends Pick<Core, 'status' | 'onlineUsers'> {
  readonly sockets: SocketCutter;
  hasConnections(emails: readonly string[]): Promise<boolean | null>;
}

export interface SessionCutterDeps {
  store: Store;
  core: CutterCore;
  panelGuid: string;
  /** Addresses these clients were seen at within the last half hour. */
  recentAddresses: RecentAddresses;
  log: Logger;
}

/** What was done, and which inbounds must be added again for the rest. */
export interface Attempt {
  report: Report;
  udpInboundIds: number[];
}

type Left = { email: string; reason: LeftReason }[];

/** The lowest step: ends single connections of clients, and reports what stays open and why. */
export function createSessionCutter(deps: SessionCutterDeps, finder: SessionUserFinder) {
  const { store, core, panelGuid, recentAddresses, log } = deps;

  async function online(): Promise<OnlineUser[] | null> {
    try {
      return await core.onlineUsers();
    } catch (error) {
      log.warn('traffic.onlineUnknown', { error });
      return null;
    }
  }

  /** Whether these few clients have and recently had no connection: the usual case, found without reading all users. */
  async function isSurelyIdle(users: SessionUsers): Promise<boolean> {
    const emails = emailsOf(users);
    if (emails.length > FEW) return false;
    const recent = recentAddresses(emails);
    if (emails.some((email) => (recent.get(email) ?? []).length > 0)) return false;
    try {
      return (await core.hasConnections(emails)) === false;
    } catch (error) {
      log.warn('traffic.onlineUnknown', { error });
      return false;
    }
  }

  /** Ends the planned connections that no other client shares. */
  async function cutPlanned(plans: readonly SessionPlan[], connected: readonly OnlineUser[]) {
    const own = new Set(plans.map(({ email }) => email));
    const addresses = new Set(plans.flatMap(({ live, recent }) => [...(live ?? []), ...recent]));
    const isShared = await sharedAddresses(store, panelGuid, connected, own, addresses);
    const ended = await core.sockets.cut(cutTargets(plans, isShared));
    const endedAt = new Set(ended.map(({ port, address }) => `${port} ${address}`));
    const left: Left = [];
    for (const plan of plans) {
      const reason = leftAfterCut(plan, (port, address) => endedAt.has(`${port} ${address}`), isShared);
      if (reason !== null) left.push({ email: plan.email, reason });
    }
    return { connections: ended.reduce((sum, { count }) => sum + count, 0), left };
  }

  return {
    /** With `isCutting` false it only reports. */
    async attempt(users: SessionUsers, isCutting: boolean): Promise<Attempt> {
      finder.remember(users);
      if (core.status().state !== 'running' || users.length === 0) return { report: NOTHING, udpInboundIds: [] };
      if (await isSurelyIdle(users)) return { report: NOTHING, udpInboundIds: [] };
      const connected = await online();
      const plans = await planSessions(store.reader, users, connected, recentAddresses);
      const { canCut, reason } = await core.sockets.ability();
      const done =
        isCutting && canCut && connected !== null
          ? await cutPlanned(plans, connected)
          : { connections: 0, left: leftUncut(plans, connected !== null, isCutting, canCut) };
      const udpInboundIds = udpInboundsOf(plans, done.left);
      const offers: Report['offers'] = [];
      if (done.left.length > 0 && !isCutting && canCut) offers.push('cut');
      if (udpInboundIds.length > 0) offers.push('readd');
      if (done.left.length > 0) offers.push('restart');
      return { report: { ...counted(done), offers, note: canCut ? '' : reason }, udpInboundIds };
    },
    /** Ends only connections from these addresses. */
    async cutAt(pairs: readonly { email: string; address: string }[]): Promise<void> {
      const connected = await online();
      if (connected === null || !(await core.sockets.ability()).canCut) return;
      const named = Map.groupBy(pairs, ({ email }) => email);
      const users = await finder.find([...named.keys()]);
      const plans = await planSessions(store.reader, users, connected, recentAddresses);
      await cutPlanned(
        plans.map((plan) => ({
          ...plan,
          live: (named.get(plan.email) ?? []).map(({ address }) => address),
          recent: [],
        })),
        connected,
      );
    },
  };
}

/** Clients that may be connected when nothing is cut. */
function leftUncut(plans: readonly SessionPlan[], isKnown: boolean, isCutting: boolean, canCut: boolean): Left {
  const otherwise = canCut ? 'unknown' : 'unable';
  return plans
    .filter(({ live }) => live !== null || !isKnown)
    .map(({ email, ports }) => ({ email, reason: !isCutting ? 'chosen' : ports.length === 0 ? 'udp' : otherwise }));
}

/** The UDP inbounds of clients that may still be connected. */
function udpInboundsOf(plans: readonly InboundPlan[], left: Left): number[] {
  const stillOpen = new Set(left.map(({ email }) => email));
  return [...new Set(plans.filter(({ email }) => stillOpen.has(email)).flatMap((plan) => plan.udpInboundIds))];
}

function counted({ connections, left }: { connections: number; left: Left }) {
  return {
    step:
      left.length > 0 && connections === 0 ? ('left' as const) : connections > 0 ? ('cut' as const) : ('none' as const),
    connections,
    left: left.slice(0, MAX_LEFT),
    leftCount: left.length,
  };
}
