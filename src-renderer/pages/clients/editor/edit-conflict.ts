import type { ClientForm } from './client-form.ts';

/** Fields that another admin changed since the form was opened. */
export function changedFields(base: ClientForm, theirs: ClientForm): (keyof ClientForm)[] {
  return (Object.keys(base) as (keyof ClientForm)[]).filter(
    (name) => JSON.stringify(base[name]) !== JSON.stringify(theirs[name]),
  );
}

/** What was typed here where it was typed, what they stored everywhere else. */
export function mergedForm(base: ClientForm, mine: ClientForm, theirs: ClientForm): ClientForm {
  const typed = changedFields(base, mine);
  return { ...theirs, ...Object.fromEntries(typed.map((name) => [name, mine[name]])) };
}
