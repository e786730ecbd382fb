import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { sizeText } from '../../../forms/byte-size.ts';
import { ConflictNotice } from '../../../ui/notices/conflict-notice.tsx';
import type { ClientForm } from './client-form.ts';
import { mergedForm } from './edit-conflict.ts';
import type { useEditConflict } from './use-edit-conflict.ts';

interface ClientConflictProps {
  form: Pick<UseFormReturn<ClientForm>, 'reset' | 'setValue' | 'getValues'>;
  conflict: ReturnType<typeof useEditConflict>;
}

/** Says what another session changed in the client meanwhile, and takes theirs or keeps mine. */
export function ClientConflict({ form, conflict }: ClientConflictProps) {
  const { t } = useTranslation(['clients', 'plans']);
  const { fields, baseForm, theirForm } = conflict;
  if (fields.length === 0 || theirForm === null || baseForm === null) return null;
  function takeOver(values: ClientForm): void {
    form.reset(theirForm!);
    for (const [name, value] of Object.entries(values))
      form.setValue(name as keyof ClientForm, value, { shouldDirty: true });
    conflict.accept();
  }
  return (
    <ConflictNotice
      title={t('conflict.title')}
      fields={fields.map((name) => ({
        name,
        label:
          name === 'planId'
            ? t('column.plan')
            : name === 'startsAtFirstUse'
              ? t('plans:startsAtFirstUse')
              : t(`conflict.field.${name}`),
        now: name === 'quotaBytes' ? sizeText(theirForm[name]) : String(theirForm[name] ?? ''),
      }))}
      onTakeTheirs={() => takeOver(theirForm)}
      onKeepMine={() => takeOver(mergedForm(baseForm, form.getValues(), theirForm))}
    />
  );
}
