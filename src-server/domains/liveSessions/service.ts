import type * as z from 'zod';
import type { Basics } from '../basics.ts';
import { foldText } from '../../store/fold-text.ts';
import type { SessionChoice, SessionReport } from '../traffic/contract.ts';
import type { listLiveSessions, LiveFilter, LiveSession } from './contract.ts';
import { matching, sorted, type ListQuery, type Presence } from './find-sessions.ts';
import { createOnlineSince } from './online-since.ts';
import * as repository from './repository.ts';
import { createSpeeds } from './speeds.ts';

const LOOK_MS = 5_000;
/** An address seen since then counts as in use. */
const IN_USE_SEC = 150;
/** Most sessions ended by one call. */
const MAX_ENDED = 10_000;

export interface LiveSessionsDeps extends Pick<Basics, 'store' | 'clock' | 'monotonic' | 'schedule'> {
  panelGuid: string;
  /** Who is online on this panel's core, and the tags with traffic there; the same objects until they change. */
  here: { emails: () => ReadonlySet<string>; tags: () => ReadonlySet<string> };
  /** The same on nodes, by the GUID of the panel that serves them. */
  there: {
    emails: () => ReadonlySet<string>;
    byGuid: () => Record<string, string[]>;
    activeByGuid: () => Record<string, string[]>;
  };
  end: (emails: readonly string[], how: SessionChoice) => Promise<z.input<typeof SessionReport>>;
}

/** Who is connected now. The online state is in memory; everything else is looked up for the requested page. */
export function createLiveSessionService(deps: LiveSessionsDeps) {
  const { store, panelGuid, here, there, clock } = deps;
  const sinceHere = createOnlineSince(here.emails, clock);
  const sinceThere = createOnlineSince(there.emails, clock);
  const speeds = createSpeeds(deps.monotonic);
  const timer = deps.schedule.every(LOOK_MS, () => {
    sinceHere.look();
    sinceThere.look();
    speeds.expire();
  });
  let looking: Promise<void> | null = null;

  function everybody(): Presence[] {
    const online = [...here.emails()].map((email) => ({ email, guid: panelGuid }));
    for (const [guid, emails] of Object.entries(there.byGuid()))
      if (guid !== panelGuid) for (const email of emails) online.push({ email, guid });
    return online;
  }

  async function look(online: readonly Presence[]): Promise<void> {
    if (!speeds.isDue()) return;
    looking ??= repository
      .countersOf(store.heavyReader, [...new Set(online.map(({ email }) => email))])
      .then((counters) => speeds.take(counters))
      .finally(() => (looking = null));
    await looking;
  }

  const inUseFromSec = (): number => Math.floor(clock() / 1000) - IN_USE_SEC;
  const sinceOf = ({ email, guid }: Presence): number => (guid === panelGuid ? sinceHere : sinceThere).of(email);

  async function present(page: readonly Presence[], names: ReadonlyMap<string, string>): Promise<LiveSession[]> {
    const emails = [...new Set(page.map(({ email }) => email))];
    const [seen, attachments] = await Promise.all([
      repository.addressesOf(store.heavyReader, emails.map(foldText), inUseFromSec()),
      repository.attachmentsOf(store.heavyReader, emails),
    ]);
    const active: Record<string, ReadonlySet<string>> = { [panelGuid]: here.tags() };
    for (const [guid, tags] of Object.entries(there.activeByGuid())) active[guid] ??= new Set(tags);
    return page.map((one) => {
      const speed = speeds.of(one.email);
      const key = foldText(one.email);
      const isHere = one.guid === panelGuid;
      const attached = attachments.filter(
        ({ email, nodeId, guid }) => email === one.email && (isHere ? nodeId === null : guid === one.guid),
      );
      const moving = attached.filter(({ tag }) => active[one.guid]?.has(tag) === true);
      return {
        ...one,
        place: names.get(one.guid) ?? '',
        isHere,
        since: sinceOf(one),
        addresses: seen
          .filter(({ emailKey, guid }) => emailKey === key && guid === one.guid)
          .map(({ ip, seenAtSec }) => ({ ip, seen: seenAtSec * 1000 })),
        inbounds: (moving.length > 0 ? moving : attached).map(({ id, remark, tag, protocol }) => ({
          id,
          name: remark || tag,
          protocol,
        })),
        up: speed === null ? null : Math.round(speed.up),
        down: speed === null ? null : Math.round(speed.down),
      };
    });
  }

  return {
    /** A page of the clients that are online now. */
    async list(query: ListQuery): Promise<z.input<(typeof listLiveSessions)['result']>> {
      const online = everybody();
      sinceHere.look();
      sinceThere.look();
      await look(online);
      const names = await repository.nodeNames(store.reader);
      const counts = new Map<string, number>();
      for (const { guid } of online) counts.set(guid, (counts.get(guid) ?? 0) + 1);
      const found = sorted(await matching(store.heavyReader, online, query, inUseFromSec()), query, {
        sinceOf,
        speedOf: speeds.of,
      });
      const first = (query.page - 1) * query.pageSize;
      return {
        items: await present(found.slice(first, first + query.pageSize), names),
        total: online.length,
        filtered: found.length,
        places: [...counts].map(([guid, count]) => ({
          guid,
          place: names.get(guid) ?? '',
          isHere: guid === panelGuid,
          count,
        })),
        now: clock(),
      };
    },

    /** Ends the sessions of all currently matching clients. */
    async end({ how, ...filter }: LiveFilter & { how: SessionChoice }): Promise<z.input<typeof SessionReport>> {
      const found = await matching(store.heavyReader, everybody(), filter, inUseFromSec());
      return deps.end([...new Set(found.map(({ email }) => email))].slice(0, MAX_ENDED), how);
    },

    close: (): void => timer.cancel(),
  };
}
export type LiveSessionService = ReturnType<typeof createLiveSessionService>;
