import {
  get,
  type FieldError,
  type FieldPath,
  type FieldValues,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from 'react-hook-form';

/** What a text field or check box needs to stand at a place of the form, with what is wrong there. */
export function registered<F extends FieldValues, N extends FieldPath<F>>(
  form: Pick<UseFormReturn<F>, 'register' | 'formState'>,
  name: N,
): UseFormRegisterReturn<N> & { error: string | undefined } {
  const issue: FieldError | undefined = get(form.formState.errors, name);
  return { ...form.register(name), error: issue?.message };
}
