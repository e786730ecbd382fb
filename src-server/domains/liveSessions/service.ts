import type * as z from 'zod';
import type { Basics } from '../basics.ts';
import { foldText } from '../../store/fold-text.ts';
import type { SessionChoice, SessionReport } from '../traffic/contract.ts';
import type { listLiveSessions, LiveFilter, LiveSession } from './contract.ts';
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

/** A client on a panel. */
interface Presence {
  email: string;
  guid: string;
}
type ListQuery = z.output<NonNullable<(typeof listLiveSessions)['query']>>;

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

  async function matching(online: readonly Presence[], { q, guid, inbound }: LiveFilter): Promise<Presence[]> {
    let left = online.filter((one) => guid === '' || one.guid === guid);
    if (inbound > 0) {
      const emails = left.map(({ email }) => email);
      const attached = await repository.attachedTo(store.heavyReader, emails, inbound);
      left = left.filter(({ email }) => attached.has(email));
    }
    const words = foldText(q.trim());
    if (words === '') return left;
    const isAddress = /^[\da-f]*[.:][\da-f.:]*$/.test(words);
    const seen = isAddress ? await repository.seenAt(store.heavyReader, words, inUseFromSec()) : new Set<string>();
    return left.filter(({ email }) => {
      const key = foldText(email);
      return key.includes(words) || seen.has(key);
    });
  }

  const inUseFromSec = (): number => Math.floor(clock() / 1000) - IN_USE_SEC;
  const sinceOf = ({ email, guid }: Presence): number => (guid === panelGuid ? sinceHere : sinceThere).of(email);

  function sorted(online: Presence[], { sort, order }: Pick<ListQuery, 'sort' | 'order'>): Presence[] {
    const sign = order === 'descend' ? -1 : 1;
    const byName = (a: Presence, b: Presence): number => (a.email < b.email ? -1 : a.email > b.email ? 1 : 0);
    if (sort === 'email') return online.sort((a, b) => sign * byName(a, b));
    const valueOf = (one: Presence): number => (sort === 'since' ? sinceOf(one) : (speeds.of(one.email)?.[sort] ?? -1));
    const values = new Map(online.map((one) => [one, valueOf(one)]));
    return online.sort((a, b) => sign * (values.get(a)! - values.get(b)!) || byName(a, b));
  }

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
      const found = sorted(await matching(online, query), query);
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
      const found = await matching(everybody(), filter);
      return deps.end([...new Set(found.map(({ email }) => email))].slice(0, MAX_ENDED), how);
    },

    close: (): void => timer.cancel(),
  };
}
export type LiveSessionService = ReturnType<typeof createLiveSessionService>;
