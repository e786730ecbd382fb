import { DomainError } from '../../contract/domain-error.ts';
import type { Publish } from '../../contract/events.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Schedule } from '../../contract/schedule.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { JobService } from '../jobs/service.ts';
import { acceptedUrl } from './reading/accepted-url.ts';
import { createApplyChanges, type Requester } from './apply-changes.ts';
import { freePrefix } from './assign-tags.ts';
import type { OutboundSub, OutboundSubForm } from './contract.ts';
import { DEFAULT_INTERVAL_SEC } from './contract.ts';
import { presentOutboundSub } from './present.ts';
import { moveSub } from './move-sub.ts';
import { createPreview } from './preview.ts';
import { createRefresh, tagsOfOthers, type RefreshDeps } from './refresh.ts';
import { createRefreshMany } from './refresh-many.ts';
import { changeSub, claimsOfOthers, deleteSub, insertSub, shownSubs, storedSub } from './repository.ts';
import { changeOf } from './update.ts';

export interface OutboundSubDeps extends RefreshDeps {
  runtime: Pick<Runtime, 'stage' | 'apply'>;
  dialer: Pick<GuardedDialer, 'fetch' | 'check'>;
  jobs: Pick<JobService, 'start'>;
  schedule: Pick<Schedule, 'every'>;
  publish: Publish;
}
export type OutboundSubService = ReturnType<typeof createOutboundSubService>;

/** Remote lists of servers, which run next to the outbounds of the template. */
export function createOutboundSubService(deps: OutboundSubDeps) {
  const { store, dialer, templateTags, clock } = deps;
  const refreshes = createRefresh(deps);
  const { announce, reload, change } = createApplyChanges(deps);
  const many = createRefreshMany({
    ...deps,
    refresh: (id) => refreshes.refresh(id),
    afterwards: async (hasChanged) => {
      if (hasChanged) await reload();
      announce();
    },
  });

  /** Fetches now; errors are recorded in the row. */
  async function fetchNow(id: number): Promise<boolean> {
    await refreshes.settled(id);
    return (await refreshes.refresh(id)).hasChanged;
  }

  return {
    list: async (): Promise<OutboundSub[]> => (await shownSubs(store.reader)).map(presentOutboundSub),

    /** @throws {DomainError} `outboundSub.createFailed`: nothing was stored */
    async create(form: OutboundSubForm, requester: Requester): Promise<OutboundSub> {
      const { allowPrivate = false } = form;
      const url = await acceptedUrl('outboundSub.createFailed', form.url ?? '', allowPrivate, dialer);
      const id = await store.write(async (trx) => {
        const others = await claimsOfOthers(trx, 0);
        const nowMs = clock();
        return insertSub(trx, {
          remark: form.remark ?? '',
          url,
          enabled: form.enabled === false ? 0 : 1,
          allowPrivate: allowPrivate ? 1 : 0,
          prepend: form.prepend === true ? 1 : 0,
          tagPrefix: form.tagPrefix || freePrefix(others.map(({ tagPrefix }) => tagPrefix)),
          updateIntervalSec: form.updateInterval ?? DEFAULT_INTERVAL_SEC,
          priority: others.length,
          lastUpdatedAtMs: 0,
          lastError: '',
          outboundCount: 0,
          outbounds: '[]',
          leftOut: '[]',
          knownTags: '[]',
          createdAtMs: nowMs,
          updatedAtMs: nowMs,
        });
      });
      if (await fetchNow(id)) await reload(requester);
      announce(requester);
      return presentOutboundSub((await storedSub(store.reader, id))!);
    },

    /**
     * Absent fields are unchanged. A new URL is fetched before this resolves. @throws {DomainError}
     * `outboundSub.updateFailed`
     */
    async update(id: number, form: OutboundSubForm, requester: Requester): Promise<''> {
      const before = await storedSub(store.reader, id);
      if (before === undefined) throw new DomainError('outboundSub.updateFailed', { text: 'subscription not found' });
      const allowPrivate = form.allowPrivate ?? before.allowPrivate === 1;
      // Checked again only when it matters: wherever its name resolves to now, a subscription can be renamed and
      // disabled.
      const isKept = (form.url ?? before.url) === before.url && allowPrivate === (before.allowPrivate === 1);
      const url = isKept
        ? before.url
        : await acceptedUrl('outboundSub.updateFailed', form.url ?? before.url, allowPrivate, dialer);
      const reserved = await templateTags();
      await change(requester, async (trx) => {
        const row = await storedSub(trx, id);
        if (row === undefined) throw new DomainError('outboundSub.updateFailed', { text: 'subscription not found' });
        const others = await claimsOfOthers(trx, id);
        const taken = new Set([...reserved, ...(await tagsOfOthers(trx, id))]);
        const prefixes = others.map(({ tagPrefix }) => tagPrefix);
        const { changed, isRunning } = changeOf(row, { ...form, url }, { prefixes, taken });
        await changeSub(trx, id, { ...changed, updatedAtMs: clock() });
        return isRunning;
      });
      const isNew = url !== before.url || (form.enabled === true && before.lastUpdatedAtMs === 0);
      if (isNew && (await fetchNow(id))) await reload(requester);
      if (isNew) announce(requester);
      return '';
    },

    /** An unknown id is ignored. */
    remove: (id: number, requester: Requester): Promise<''> => change(requester, (trx) => deleteSub(trx, id)),

    /** @throws {DomainError} `outboundSub.notFound`; `.refreshFailed`: the previous outbounds keep running */
    async refresh(id: number, requester: Requester): Promise<JsonObject[]> {
      const { outbounds, hasChanged, failure } = await refreshes.refresh(id);
      if (hasChanged) await reload(requester);
      announce(requester);
      if (failure !== '') throw new DomainError('outboundSub.refreshFailed', { text: failure });
      return outbounds;
    },

    /** Swaps it with its neighbour; at the end nothing happens. @throws {DomainError} `outboundSub.notFound` */
    move: (id: number, isUp: boolean, requester: Requester): Promise<''> =>
      change(requester, (trx) => moveSub(trx, id, isUp)),

    preview: createPreview(deps),

    /** Fetches every enabled one as a job. */
    refreshAll: (): { jobId: string } => many.start(),

    close: async (): Promise<void> => {
      many.close();
      await refreshes.close();
    },
  };
}
