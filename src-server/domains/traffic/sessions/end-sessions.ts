import type { Replaced } from '../../../core/sessions/replace-inbounds.ts';
import type { Ability } from '../../../core/sessions/socket-cutter.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import type { SessionChoice } from '../contract.ts';
import { createSessionCutter, type Attempt, type CutterCore, type SessionCutterDeps } from './session-cutter.ts';
import { createSessionReports, NOTHING, type NotedReport, type Report } from './session-reports.ts';
import { createSessionUserFinder, type SessionUsers } from './session-users.ts';

/** What ending sessions needs of the core. */
export interface SessionCore extends CutterCore {
  replaceInbounds(inboundIds: readonly number[]): Promise<Replaced>;
}

export interface SessionEnderDeps extends SessionCutterDeps {
  core: SessionCore;
  runtime: Pick<Runtime, 'restartCore'>;
  clock: () => number;
}

/**
 * Ends open sessions of clients whose credentials no longer work, with the lowest step that works without affecting
 * other clients: single connections, the QUIC inbound they use, the core. Higher steps are only taken on request.
 */
export function createSessionEnder(deps: SessionEnderDeps) {
  const { core, runtime } = deps;
  const finder = createSessionUserFinder(deps.store);
  const cutter = createSessionCutter(deps, finder);
  const reports = createSessionReports(deps.clock, deps.log);

  async function take(users: SessionUsers, choice: SessionChoice, cause: string): Promise<Report> {
    const { report, udpInboundIds } = await cutter.attempt(users, choice !== 'leave');
    if (choice === 'restart') {
      if (core.status().state !== 'running') return report;
      await runtime.restartCore(cause);
      return reports.note({ ...NOTHING, step: 'restarted', connections: report.connections }, cause);
    }
    if (choice !== 'readd' || udpInboundIds.length === 0) return reports.note(report, cause);
    const replaced = await core.replaceInbounds(udpInboundIds);
    if (replaced === 'notRunning') return NOTHING;
    if (replaced === 'restarted')
      return reports.note({ ...NOTHING, step: 'restarted', connections: report.connections }, cause);
    const left = report.left.filter(({ reason }) => reason !== 'udp');
    const leftCount = report.leftCount - (report.left.length - left.length);
    const offers: Report['offers'] = leftCount > 0 ? ['restart'] : [];
    return reports.note({ ...report, step: 'readded', left, leftCount, offers }, cause);
  }

  async function cut(users: SessionUsers, cause: string): Promise<Attempt> {
    const done = await cutter.attempt(users, true);
    reports.note(done.report, cause);
    return done;
  }

  return {
    ability: (): Promise<Ability> => core.sockets.ability(),
    /** Ends what can be ended without affecting other clients. */
    cut,
    /** Like {@link cut} for clients by e-mail, wherever they are attached. */
    cutFor: async (emails: readonly string[], cause: string): Promise<Attempt> => cut(await finder.find(emails), cause),
    /** Ends only connections from these addresses. */
    cutAt: (pairs: readonly { email: string; address: string }[]): Promise<void> => cutter.cutAt(pairs),
    /** Adds inbounds again, which ends their QUIC sessions. */
    async readd(inboundIds: readonly number[], cause: string): Promise<void> {
      const replaced = await core.replaceInbounds(inboundIds);
      if (replaced !== 'notRunning')
        reports.note({ ...NOTHING, step: replaced === 'restarted' ? 'restarted' : 'readded' }, cause);
    },
    /** Takes the requested step, the lower ones first. @throws errors of a core restart */
    take,
    /** Like {@link take} for clients by e-mail, including recently deleted or disabled ones. */
    takeFor: async (emails: readonly string[], choice: SessionChoice, cause: string): Promise<Report> =>
      take(await finder.find(emails), choice, cause),
    /** The last reports, newest first. */
    recent: (): readonly NotedReport[] => reports.recent(),
  };
}
export type SessionEnder = ReturnType<typeof createSessionEnder>;
