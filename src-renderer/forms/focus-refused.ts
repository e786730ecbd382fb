/** Brings the keyboard to the first field that shows a refusal, as forms with a schema do by themselves. */
export function focusRefused(form: HTMLFormElement): void {
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
