import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { Host, HostGroup } from '#contract/hosts';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { changedFields, toForm, type HostForm } from './host-form.ts';
import { readHost } from './read-host.ts';

/**
 * Follows the stored host or group while its form is open. An untouched form is updated; a touched one shows the
 * conflict in `fields`. `base` is the version that a save builds on.
 */
export function useHostConflict(what: string, stored: Host | HostGroup | null, form: UseFormReturn<HostForm>) {
  const call = useCall();
  const [base, setBase] = useState(stored);
  const { isDirty } = form.formState;
  const now = useQuery({
    queryKey: [...keys.hosts, 'now', what],
    queryFn: ({ signal }) => readHost(call, what, signal),
    enabled: stored !== null,
    // When it was deleted meanwhile, the save reports that.
    retry: false,
    gcTime: 0,
  });
  const theirs = now.data ?? base;
  const differing = (one: Host | HostGroup | null, other: Host | HostGroup | null): (keyof HostForm)[] =>
    one === null || other === null ? [] : changedFields(toForm(one), toForm(other));
  const fields = differing(base, theirs);
  const isElsewhere = fields.length > 0;
  const { reset } = form;
  useEffect(() => {
    if (!isElsewhere || isDirty || now.data === undefined || now.data === null) return;
    setBase(now.data);
    reset(toForm(now.data));
  }, [isElsewhere, isDirty, now.data, reset]);
  return {
    base,
    fields: isDirty ? fields : [],
    theirForm: theirs === null ? null : toForm(theirs),
    takeTheirs: (): void => {
      if (theirs === null) return;
      setBase(theirs);
      reset(toForm(theirs));
    },
    keepMine: (): void => {
      if (base === null || theirs === null) return;
      const mine = form.getValues();
      const typed = changedFields(toForm(base), mine);
      setBase(theirs);
      reset(toForm(theirs));
      for (const name of typed) form.setValue(name, mine[name], { shouldDirty: true });
    },
    /** Whether the stored version is still the one the form builds on; checked before a save, which replaces it. */
    async isCurrent(): Promise<boolean> {
      if (base === null) return true;
      const { data } = await now.refetch();
      return data === undefined || differing(base, data).length === 0;
    },
  };
}
