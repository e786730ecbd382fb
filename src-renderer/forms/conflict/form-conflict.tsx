import { useTranslation } from 'react-i18next';
import { ConflictNotice } from '../../ui/notices/conflict-notice.tsx';
import type { FormConflictState } from './use-form-conflict.ts';

interface FormConflictProps<S, T extends object> {
  /** Names the thing that another admin changed. */
  title: string;
  conflict: FormConflictState<S, T>;
  labelOf: (name: keyof T & string) => string;
  /** A value as its field shows it; undefined where it is shown as it is stored. */
  wordsOf?: (name: keyof T & string, theirs: T) => string | undefined;
}

/** Shows what another admin saved while a form was open, if it was touched, and asks whose version counts. */
export function FormConflict<S, T extends object>({ title, conflict, labelOf, wordsOf }: FormConflictProps<S, T>) {
  const { t } = useTranslation('words');
  const { fields, theirForm, takeTheirs, keepMine } = conflict;
  if (fields.length === 0 || theirForm === null) return null;
  const plain = (value: unknown): string => {
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    return Array.isArray(value) ? value.join(', ') : String(value);
  };
  const shown = fields.map((name) => ({
    name,
    label: labelOf(name),
    now: wordsOf?.(name, theirForm) ?? plain(theirForm[name]),
  }));
  return <ConflictNotice title={title} fields={shown} onTakeTheirs={takeTheirs} onKeepMine={keepMine} />;
}
