import type { JsonObject } from '../../contract/json.ts';
import { parseJsonObjects } from '../../contract/json-text.ts';
import type { Logger } from '../../contract/logger.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Store, WriteTransaction } from '../../store/open-store.ts';
import { assignTags, freePrefix, type KnownTag } from './assign-tags.ts';
import { FetchFailure } from './reading/fetch-list.ts';
import { droppedText } from './present.ts';
import { readList, taggedEntries, type ReadList, type ReadListDeps } from './reading/read-list.ts';
import { changeSub, claimsOfOthers, storedSub, type StoredSub } from './repository.ts';

export interface RefreshDeps extends ReadListDeps {
  store: Pick<Store, 'reader' | 'write'>;
  runtime: Pick<Runtime, 'stage'>;
  /** Tags of the operator's own outbounds and balancers. */
  templateTags: () => Promise<ReadonlySet<string>>;
  clock: () => number;
  log: Logger;
}

export interface Refreshed {
  /** The outbounds in use afterwards; after a failed refresh, the previous ones. */
  outbounds: JsonObject[];
  /** Whether the running core has to be updated. */
  hasChanged: boolean;
  /** Why the fetch failed; empty when it succeeded. */
  failure: string;
}

const MAX_ERROR = 2_000;

/** Fetches one subscription and stores the result; requests for the same one share a fetch. */
export function createRefresh(deps: RefreshDeps) {
  const { store, runtime, templateTags, clock, log } = deps;
  const running = new Map<number, Promise<Refreshed>>();
  const closing = new AbortController();

  async function refresh(id: number): Promise<Refreshed> {
    const row = await storedSub(store.reader, id);
    if (row === undefined) throw new DomainError('outboundSub.notFound');
    const { url } = row;
    let found: ReadList | FetchFailure;
    try {
      found = await readList(deps, url, { allowPrivate: row.allowPrivate === 1, signal: closing.signal });
    } catch (error) {
      if (closing.signal.aborted)
        return { outbounds: outboundsOf(row), hasChanged: false, failure: 'the panel is stopping' };
      if (!(error instanceof FetchFailure)) throw error;
      found = error;
    }
    const reserved = await templateTags();
    return store.write(async (trx) => {
      const now = await storedSub(trx, id);
      if (now === undefined) throw new DomainError('outboundSub.notFound');
      // Its URL was changed meanwhile; a fetch for the new one follows.
      if (now.url !== url) return { outbounds: outboundsOf(now), hasChanged: false, failure: '' };
      return found instanceof FetchFailure ? failed(trx, now, found.message) : stored(trx, now, found, reserved);
    });
  }

  /** The outbounds of the last good response keep running. */
  async function failed(trx: WriteTransaction, row: StoredSub, failure: string): Promise<Refreshed> {
    log.warn('outboundSubs.refreshFailed', { id: row.id, remark: row.remark, reason: failure });
    await changeSub(trx, row.id, { lastError: failure.slice(0, MAX_ERROR) });
    return { outbounds: outboundsOf(row), hasChanged: false, failure };
  }

  async function stored(
    trx: WriteTransaction,
    row: StoredSub,
    list: ReadList,
    reserved: ReadonlySet<string>,
  ): Promise<Refreshed> {
    // One imported from another panel may have none yet.
    const tagPrefix = row.tagPrefix || freePrefix((await claimsOfOthers(trx, row.id)).map((other) => other.tagPrefix));
    const { tags, known } = assignTags(list.entries, {
      known: knownTagsOf(row),
      prefix: tagPrefix,
      taken: new Set([...reserved, ...(await tagsOfOthers(trx, row.id))]),
      nowMs: clock(),
    });
    const { outbounds, refused } = taggedEntries(list, tags);
    // A provider's error page with status 200 must not remove every server.
    if (outbounds.length === 0) return failed(trx, row, droppedText(refused) || 'no outbounds found');
    const text = JSON.stringify(outbounds);
    const hasChanged = text !== row.outbounds && row.enabled === 1;
    await changeSub(trx, row.id, {
      tagPrefix,
      outbounds: text,
      outboundCount: outbounds.length,
      leftOut: JSON.stringify([...refused, ...list.unreadable]),
      knownTags: JSON.stringify(known),
      lastUpdatedAtMs: clock(),
      lastError: droppedText(refused).slice(0, MAX_ERROR),
    });
    if (hasChanged) await runtime.stage(trx, { everything: true });
    return { outbounds, hasChanged, failure: '' };
  }

  return {
    /** @throws {DomainError} `outboundSub.notFound` */
    refresh(id: number): Promise<Refreshed> {
      const shared = running.get(id);
      if (shared !== undefined) return shared;
      const work = refresh(id).finally(() => running.delete(id));
      running.set(id, work);
      return work;
    },
    /** A fetch for an outdated URL must not stand for the new one. */
    async settled(id: number): Promise<void> {
      await running.get(id)?.catch(() => undefined);
    },
    async close(): Promise<void> {
      closing.abort();
      await Promise.allSettled(running.values());
    },
  };
}

export const outboundsOf = ({ outbounds }: Pick<StoredSub, 'outbounds'>): JsonObject[] => parseJsonObjects(outbounds);

export const knownTagsOf = ({ knownTags }: Pick<StoredSub, 'knownTags'>): KnownTag[] =>
  parseJsonObjects(knownTags).flatMap(({ identity, tag, position, seenAtMs }) =>
    typeof identity === 'string' && typeof tag === 'string'
      ? [{ identity, tag, position: Number(position), seenAtMs: Number(seenAtMs) }]
      : [],
  );

export async function tagsOfOthers(db: Parameters<typeof claimsOfOthers>[0], id: number): Promise<string[]> {
  return (await claimsOfOthers(db, id)).flatMap((claim) => knownTagsOf(claim).map(({ tag }) => tag));
}
