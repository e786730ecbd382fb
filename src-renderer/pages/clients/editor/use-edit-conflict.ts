import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type * as z from 'zod';
import { getClient } from '#contract/clients';
import { keys } from '../../../api/keys.ts';
import { CallError } from '../../../api/transport.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { toForm, type ClientForm } from './client-form.ts';
import { changedFields } from '../../../forms/conflict/changed-fields.ts';

type Stored = z.output<(typeof getClient)['result']>;

/**
 * Follows the stored client while its form is open. `base` is what the form stands on; when the stored one differs,
 * `fields` names how, until `accept` makes it the base.
 * @param openedMs when the form was filled in
 */
export function useEditConflict(stored: Stored | null, openedMs: number) {
  const call = useCall();
  const [base, setBase] = useState(stored);
  const email = stored?.client.email ?? '';
  const readNow = (signal?: AbortSignal): Promise<Stored> => call(getClient, { params: { email } }, signal);
  const now = useQuery({
    queryKey: [...keys.clients, 'one', email],
    queryFn: ({ signal }) => readNow(signal),
    enabled: stored !== null,
    // A client that was deleted meanwhile is not found the next time either.
    retry: false,
  });
  const theirs = base === null || now.data === undefined ? base : now.data;
  const formOf = ({ client, inboundIds }: Stored): ClientForm => toForm(client, inboundIds, openedMs);
  const fields = base === null || theirs === null || theirs === base ? [] : changedFields(formOf(base), formOf(theirs));
  return {
    base,
    fields,
    isDeleted: now.error instanceof CallError && now.error.code === 'client.notFound',
    baseForm: base === null ? null : formOf(base),
    theirForm: theirs === null ? null : formOf(theirs),
    accept: () => setBase(theirs),
    /** These inbounds were saved from this form. */
    placed: (inboundIds: number[]) => setBase((before) => before && { ...before, inboundIds }),
    /** Whether what is stored this very moment is what the form stands on; asked before a save, which replaces the row. */
    async isCurrent(): Promise<boolean> {
      if (base === null) return true;
      const { data } = await now.refetch();
      return data === undefined || changedFields(formOf(base), formOf(data)).length === 0;
    },
  };
}
