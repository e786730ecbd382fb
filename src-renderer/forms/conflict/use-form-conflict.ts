import { useEffect, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { changedFields, mergedForm } from './changed-fields.ts';

interface Followed<S, T extends FieldValues> {
  /** The row as last read; null for a new one. */
  stored: S | null;
  /** Reads the row once more. When it was deleted meanwhile there is none, and the save reports that. */
  readAgain: () => Promise<S | null | undefined>;
  form: UseFormReturn<T>;
  /** Must be the same function at every render. Secrets that are never returned are blank. */
  toForm: (row: S) => T;
}

export interface FormConflictState<S, T extends object> {
  /** The version that a save builds on. */
  base: S | null;
  /** What another admin changed beneath what was typed. */
  fields: (keyof T & string)[];
  theirForm: T | null;
  takeTheirs: () => void;
  keepMine: () => void;
  /** Whether the stored version is still the one the form builds on; checked before a save, which replaces it. */
  isCurrent: () => Promise<boolean>;
}

/** Follows the stored row while its form is open: an untouched form is updated, a touched one has a conflict. */
export function useFormConflict<S, T extends FieldValues>(followed: Followed<S, T>): FormConflictState<S, T> {
  const { stored, readAgain, form, toForm } = followed;
  const [base, setBase] = useState(stored);
  const { isDirty, isSubmitting } = form.formState;
  const changedSince = (row: S | null | undefined): (keyof T & string)[] =>
    base === null || row === null || row === undefined ? [] : changedFields(toForm(base), toForm(row));
  const fields = changedSince(stored);
  const isElsewhere = fields.length > 0;
  const { reset } = form;
  useEffect(() => {
    if (!isElsewhere || isDirty || stored === null) return;
    setBase(stored);
    reset(toForm(stored));
  }, [isElsewhere, isDirty, stored, reset, toForm]);
  const takeTheirs = (): void => {
    if (stored === null) return;
    setBase(stored);
    reset(toForm(stored));
  };
  return {
    base,
    // Our own save changes the stored row too.
    fields: isDirty && !isSubmitting ? fields : [],
    theirForm: stored === null ? null : toForm(stored),
    takeTheirs,
    keepMine: () => {
      if (base === null || stored === null) return;
      const merged = mergedForm(toForm(base), form.getValues(), toForm(stored));
      takeTheirs();
      reset(merged, { keepDefaultValues: true });
    },
    isCurrent: async () => base === null || changedSince(await readAgain()).length === 0,
  };
}
