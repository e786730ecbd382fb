import type { Basics } from '../../basics.ts';
import type { Accounted } from '../counting/accounting.ts';
import { createClientNames } from '../counting/client-names.ts';
import type { SessionCore } from '../sessions/end-sessions.ts';
import { createLive, type LiveDeps } from './live.ts';
import { createActiveSet, joinSets } from './online.ts';
import { findEmails } from './repository-live.ts';

export interface ActivityDeps extends LiveDeps, Pick<Basics, 'monotonic'> {
  core: Pick<SessionCore, 'onlineUsers'>;
  /** The source under which this panel's core counts. */
  coreSource: string;
  /** Online clients on other servers of this database. */
  onlineElsewhere: () => ReadonlySet<string>;
}

/** Online clients and inbounds with traffic, and their display on open pages. */
export function createActivity(deps: ActivityDeps) {
  const { store, core, coreSource, monotonic, remoteOnline } = deps;
  const names = createClientNames((subjects) => findEmails(store, coreSource, subjects));
  const live = createLive(deps);
  const clients = createActiveSet(monotonic);
  const inbounds = createActiveSet(monotonic);
  const onServers = joinSets(clients.names, deps.onlineElsewhere);
  const everywhere = remoteOnline === undefined ? onServers : joinSets(onServers, remoteOnline.emails);
  const isKnown = (email: string | null): email is string => email !== null;

  /** Collects traffic for open pages. */
  async function show({ moved: { user, inbound, outbound } }: Accounted): Promise<void> {
    if (!deps.hasListeners()) return;
    const emails = await names.resolve(user.names);
    await live.collect({ clients: { ...user, names: emails }, inbounds: inbound, outbounds: outbound });
  }

  return {
    names,
    /** E-mails of this panel's core that were active within 20 s. */
    clients: clients.names,
    /** The same plus clients that are online on other servers and nodes. */
    everywhere,
    /** Tags of this panel's inbounds with traffic within 20 s. */
    inbounds: inbounds.names,
    show,
    /** E-mails with an open connection; none when the core cannot tell. */
    async connected(): Promise<string[]> {
      const users = (await core.onlineUsers()) ?? [];
      return (await names.resolve(users.map(({ email }) => email))).filter(isKnown);
    },
    /** A client that moved bytes is online. */
    async note({ user, inbound }: Accounted['moved']): Promise<void> {
      await clients.update((await names.resolve(user.names)).filter(isKnown));
      await inbounds.update(inbound.names);
    },
    /** Ends a tick for open pages. @param accounted null = this tick counted nothing */
    async send(accounted: Accounted | null, connected: readonly string[]): Promise<void> {
      if (accounted !== null) await show(accounted);
      await clients.update(connected);
      await inbounds.update([]);
      if (accounted !== null) await live.send({ here: clients.names(), all: everywhere() }, inbounds.names());
    },
  };
}
export type Activity = ReturnType<typeof createActivity>;
