import { DomainError } from '../../contract/domain-error.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import { acceptedUrl } from './reading/accepted-url.ts';
import { assignTags, freePrefix } from './assign-tags.ts';
import type { OutboundSubPreview } from './contract.ts';
import { FetchFailure } from './reading/fetch-list.ts';
import { readList, taggedEntries } from './reading/read-list.ts';
import { tagsOfOthers, type RefreshDeps } from './refresh.ts';
import { claimsOfOthers } from './repository.ts';

type PreviewDeps = Pick<RefreshDeps, 'store' | 'refusedOutbounds' | 'parse' | 'templateTags' | 'clock'> & {
  dialer: Pick<GuardedDialer, 'fetch' | 'check'>;
};

/** What a new row would yield; nothing is stored. @throws {DomainError} `outboundSub.previewFailed` */
export function createPreview(deps: PreviewDeps) {
  const { store, dialer, templateTags, clock } = deps;
  return async (form: { url: string; allowPrivate: boolean; tagPrefix: string }): Promise<OutboundSubPreview> => {
    const { allowPrivate } = form;
    const url = await acceptedUrl('outboundSub.previewFailed', form.url, allowPrivate, dialer);
    try {
      const list = await readList(deps, url, { allowPrivate });
      const others = await claimsOfOthers(store.reader, 0);
      const { tags } = assignTags(list.entries, {
        known: [],
        prefix: form.tagPrefix || freePrefix(others.map(({ tagPrefix }) => tagPrefix)),
        taken: new Set([...(await templateTags()), ...(await tagsOfOthers(store.reader, 0))]),
        nowMs: clock(),
      });
      const { outbounds, refused } = taggedEntries(list, tags);
      return { outbounds, leftOut: [...refused, ...list.unreadable] };
    } catch (error) {
      if (error instanceof FetchFailure) throw new DomainError('outboundSub.previewFailed', { text: error.message });
      throw error;
    }
  };
}
