import { DomainError } from '../../contract/domain-error.ts';
import type { Publish } from '../../contract/events.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Schedule } from '../../contract/schedule.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { JobService } from '../jobs/service.ts';
import { acceptedUrl } from './reading/accepted-url.ts';
import { freePrefix } from './assign-tags.ts';
import type { OutboundSub, OutboundSubForm } from './contract.ts';
import { DEFAULT_INTERVAL_SEC } from './contract.ts';
import { presentOutboundSub } from './present.ts';
import { createPreview } from './preview.ts';
import { createRefresh, tagsOfOthers, type RefreshDeps } from './refresh.ts';
import { createRefreshMany } from './refresh-many.ts';
import { changeSub, claimsOfOthers, deleteSub, insertSub, orderedSubs, shownSubs, storedSub } from './repository.ts';
import { changeOf } from './update.ts';

export interface OutboundSubDeps extends RefreshDeps {
  runtime: Pick<Runtime, 'stage' | 'apply'>;
  dialer: Pick<GuardedDialer, 'fetch' | 'check'>;
  jobs: Pick<JobService, 'start'>;
  schedule: Pick<Schedule, 'every'>;
  publish: Publish;
}
/** Who requested a change. */
interface Asker {
  requestId: string;
  /** Called when the change required a restart of the running core. */
  onRestart(): void;
}
export type OutboundSubService = ReturnType<typeof createOutboundSubService>;

/** Remote lists of servers, which run next to the outbounds of the template. */
export function createOutboundSubService(deps: OutboundSubDeps) {
  const { store, runtime, dialer, templateTags, clock, log, publish } = deps;
  const refreshes = createRefresh(deps);

  const announce = ({ requestId }: Pick<Asker, 'requestId'> = { requestId: '' }): void =>
    publish({ type: 'invalidate', resource: 'outbounds', ...(requestId === '' ? {} : { requestId }) });

  async function reload(asker?: Asker): Promise<void> {
    const { core } = await runtime.apply({ everything: true });
    if (core.kind === 'restarted') asker?.onRestart();
    if (core.kind === 'failed') log.warn('outboundSubs.notApplied', { text: core.text });
  }

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

  async function change(asker: Asker, work: (trx: WriteTransaction) => Promise<boolean>): Promise<''> {
    const hasChanged = await store.write(async (trx) => {
      const isRunning = await work(trx);
      if (isRunning) await runtime.stage(trx, { everything: true });
      return isRunning;
    });
    if (hasChanged) await reload(asker);
    announce(asker);
    return '';
  }

  return {
    list: async (): Promise<OutboundSub[]> => (await shownSubs(store.reader)).map(presentOutboundSub),

    /** @throws {DomainError} `outboundSub.createFailed`: nothing was stored */
    async create(form: OutboundSubForm, asker: Asker): Promise<OutboundSub> {
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
      if (await fetchNow(id)) await reload(asker);
      announce(asker);
      return presentOutboundSub((await storedSub(store.reader, id))!);
    },

    /**
     * Absent fields are unchanged. A new URL is fetched before this resolves. @throws {DomainError}
     * `outboundSub.updateFailed`
     */
    async update(id: number, form: OutboundSubForm, asker: Asker): Promise<''> {
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
      await change(asker, async (trx) => {
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
      if (isNew && (await fetchNow(id))) await reload(asker);
      if (isNew) announce(asker);
      return '';
    },

    /** An unknown id is ignored. */
    remove: (id: number, asker: Asker): Promise<''> => change(asker, (trx) => deleteSub(trx, id)),

    /** @throws {DomainError} `outboundSub.notFound`; `.refreshFailed`: the previous outbounds keep running */
    async refresh(id: number, asker: Asker): Promise<JsonObject[]> {
      const { outbounds, hasChanged, failure } = await refreshes.refresh(id);
      if (hasChanged) await reload(asker);
      announce(asker);
      if (failure !== '') throw new DomainError('outboundSub.refreshFailed', { text: failure });
      return outbounds;
    },

    /** Swaps it with its neighbour; at the end nothing happens. @throws {DomainError} `outboundSub.notFound` */
    move: (id: number, isUp: boolean, asker: Asker): Promise<''> =>
      change(asker, async (trx) => {
        const rows = await orderedSubs(trx);
        const at = rows.findIndex((row) => row.id === id);
        if (at < 0) throw new DomainError('outboundSub.notFound');
        const to = at + (isUp ? -1 : 1);
        if (to < 0 || to >= rows.length) return false;
        [rows[at], rows[to]] = [rows[to]!, rows[at]!];
        for (const [priority, row] of rows.entries())
          if (row.priority !== priority) await changeSub(trx, row.id, { priority });
        return true;
      }),

    preview: createPreview(deps),

    /** Fetches every enabled one as a job. */
    refreshAll: (): { jobId: string } => many.start(),

    close: async (): Promise<void> => {
      many.close();
      await refreshes.close();
    },
  };
}
