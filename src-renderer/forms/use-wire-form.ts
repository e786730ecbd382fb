import { toNestErrors } from '@hookform/resolvers';
import { toValidationIssues } from '#wire/validation';
import { useCallback, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  useForm,
  type DefaultValues,
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormReturn,
} from 'react-hook-form';
import type * as z from 'zod';
import { CallError } from '../api/transport.ts';
import { issueWords, placedWords } from '../i18n/refusal-words.ts';
import { REFUSED_FIELDS } from './refused-fields.ts';

type WireForm<T extends FieldValues> = UseFormReturn<T> & {
  /** Whether what was typed is on its way to the panel: for `FormFields`. */
  isSaving: boolean;
  /** Runs a save; refused fields get their message at the field, everything else at the form. */
  attempt(save: () => Promise<unknown>): Promise<boolean>;
};

const sameName = (field: string): string => field;

/**
 * A form over a contract's schema. The server's refusals land on the fields they name.
 * @param placeOf maps a field of the wire to the form's name for it; must be the same function at every render
 */
export function useWireForm<T extends FieldValues>(
  schema: z.ZodType<T, T>,
  defaultValues: DefaultValues<T>,
  placeOf: (field: string) => string = sameName,
): WireForm<T> {
  const form = useForm<T>({ resolver: resolverOf(schema), defaultValues });
  const { setError, clearErrors, getValues, handleSubmit: handleValid } = form;
  const [isSaving, setSaving] = useState(false);
  const handleSubmit = useCallback<typeof handleValid>(
    (onValid, onInvalid) =>
      handleValid(async (values, event) => {
        setSaving(true);
        try {
          return await onValid(values, event);
        } finally {
          setSaving(false);
        }
      }, onInvalid),
    [handleValid],
  );
  const attempt = useCallback(
    async (save: () => Promise<unknown>) => {
      clearErrors('root');
      try {
        await save();
        return true;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        // A field takes the focus only when it can be changed again.
        flushSync(() => setSaving(false));
        const field = REFUSED_FIELDS[error.code];
        const issues =
          error.issues.length > 0 || field === undefined
            ? error.issues
            : [{ field, rule: error.code, code: error.code, params: error.params, message: error.message }];
        const lost: string[] = issues.length === 0 ? [error.message] : [];
        for (const [at, issue] of issues.entries()) {
          const path = toFormPath<T>(placeOf(issue.field));
          if (getValues(path) === undefined) lost.push(placedWords(issue));
          else setError(path, { type: issue.rule, message: issue.message }, { shouldFocus: at === 0 });
        }
        // Refusals without a field in the form are shown for the form as a whole.
        if (lost.length > 0) setError('root', { message: lost.join(' · ') });
        return false;
      }
    },
    [setError, clearErrors, getValues, placeOf],
  );
  return { ...form, handleSubmit, isSaving, attempt };
}

/** Validates by the schema, in the same words as the server's refusals. */
function resolverOf<T extends FieldValues>(schema: z.ZodType<T, T>): Resolver<T> {
  return (values, _context, options) => {
    const parsed = schema.safeParse(values, { reportInput: true });
    if (parsed.success) return { values: parsed.data, errors: {} };
    const errors: Record<string, { type: string; message: string }> = {};
    for (const issue of toValidationIssues(parsed.error))
      errors[toFormPath<T>(issue.field)] ??= { type: issue.rule, message: issueWords(issue) };
    return { values: {}, errors: toNestErrors<T>(errors, options) };
  };
}

/** `clients[0].email` of the wire is `clients.0.email` of the form. */
function toFormPath<T extends FieldValues>(field: string): Path<T> {
  return field.replaceAll(/\[(\d+)\]/g, '.$1') as Path<T>;
}
