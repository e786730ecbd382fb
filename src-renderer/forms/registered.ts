import {
  get,
  type FieldError,
  type FieldPath,
  type FieldValues,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from 'react-hook-form';

/** The props that bind a text field or check box to a place of the form, with its error. */
export function registered<F extends FieldValues, N extends FieldPath<F>>(
  form: Pick<UseFormReturn<F>, 'register' | 'formState'>,
  name: N,
): UseFormRegisterReturn<N> & { error: string | undefined } {
  const issue: FieldError | undefined = get(form.formState.errors, name);
  return { ...form.register(name), error: issue?.message };
}
