import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { InboundOption } from '#contract/inbounds';
import { sizeText } from '../../../forms/byte-size.ts';
import { ConflictNotice } from '../../../ui/notices/conflict-notice.tsx';
import { usePlans } from '../../plans/use-plans.ts';
import { inboundLabel } from '../use-inbound-options.ts';
import type { ClientForm } from './client-form.ts';
import { mergedForm } from '../../../forms/conflict/changed-fields.ts';
import type { useEditConflict } from './use-edit-conflict.ts';

interface ClientConflictProps {
  form: Pick<UseFormReturn<ClientForm>, 'reset' | 'setValue' | 'getValues'>;
  conflict: ReturnType<typeof useEditConflict>;
  options: readonly InboundOption[];
}

/** Says what another session changed in the client meanwhile, and takes theirs or keeps mine. */
export function ClientConflict({ form, conflict, options }: ClientConflictProps) {
  const { t } = useTranslation(['clients', 'plans']);
  const plans = usePlans();
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
        now: wordsOf(name, theirForm),
      }))}
      onTakeTheirs={() => takeOver(theirForm)}
      onKeepMine={() => takeOver(mergedForm(baseForm, form.getValues(), theirForm))}
    />
  );

  /** A value as the form names it. */
  function wordsOf(name: keyof ClientForm, theirs: ClientForm): string {
    const value = theirs[name];
    if (name === 'quotaBytes') return sizeText(theirs.quotaBytes);
    if (name === 'renewal') return t(`form.renewals.${theirs.renewal}`);
    if (name === 'term') return value === null ? t('never') : String(value);
    if (name === 'planId') return plans.data?.find(({ id }) => String(id) === value)?.name ?? theirs.planId;
    if (name === 'inboundIds') {
      const chosen = options.filter(({ id }) => theirs.inboundIds.includes(String(id)));
      return chosen.map(inboundLabel).join(', ');
    }
    if (typeof value === 'boolean') return t(value ? 'filters.yes' : 'filters.no');
    return String(value);
  }
}
