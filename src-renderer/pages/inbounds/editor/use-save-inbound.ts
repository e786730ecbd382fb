import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  addInbound,
  InboundBody,
  replaceFallbacks,
  updateInbound,
  type CountedInbound,
  type SavedInbound,
} from '#contract/inbounds';
import { toValidationIssues } from '#wire/validation';
import { CallError } from '../../../api/transport.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { keys } from '../../../api/keys.ts';
import { issueWords, placedWords } from '../../../i18n/refusal-words.ts';
import { toWire, type Draft } from '../model/draft.ts';
import type { FallbackRule } from './sections/fallbacks.tsx';
import { storedKey } from './use-inbound-conflict.ts';

interface Save {
  draft: Draft;
  /** Null = not changed. */
  rules: readonly FallbackRule[] | null;
}

/**
 * Saves an inbound and then its fallback rules. What the contract rejects is not sent.
 * @param onStored called before the rules, which may be refused while the inbound is stored
 */
export function useSaveInbound(id: number, onStored: (saved: SavedInbound) => void) {
  const call = useCall();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ draft, rules }: Save): Promise<SavedInbound> => {
      const body = toWire(draft) as unknown as Parameters<typeof call<typeof addInbound>>[1]['body'];
      const checked = InboundBody.safeParse(body, { reportInput: true });
      if (!checked.success) {
        const issues = toValidationIssues(checked.error).map((issue) => ({ ...issue, message: issueWords(issue) }));
        throw new CallError('invalid', issues.map(placedWords).join(' · '), '', issues);
      }
      const saved =
        id === 0 ? await call(addInbound, { body }) : await call(updateInbound, { params: { id: String(id) }, body });
      // What was stored before it is no change of another admin.
      cache.setQueryData<CountedInbound>(storedKey(saved.id), (before) => before && { ...before, ...saved });
      onStored(saved);
      if (rules !== null)
        await call(replaceFallbacks, {
          params: { id: String(saved.id) },
          body: { fallbacks: rules.map((rule, sortOrder) => ({ ...rule, sortOrder })) },
        });
      return saved;
    },
    // Also after a failure: the inbound may be saved while its rules were refused.
    onSettled: (_saved, error) => {
      const fresh = [keys.inbounds, keys.clients, keys.hosts].map((queryKey) => cache.invalidateQueries({ queryKey }));
      // A refusal is shown without waiting for these: a panel that does not answer does not answer them either.
      return error === null ? Promise.all(fresh) : undefined;
    },
  });
}
