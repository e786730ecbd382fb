import { Select } from '@mantine/core';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { InboundOption } from '#contract/inbounds';
import { failureOf } from '../../../api/use-read.ts';
import { usePlans } from '../../plans/use-plans.ts';
import { firstFlow, fromPlan, type ClientForm } from './client-form.ts';

interface PlanFieldProps {
  form: Pick<UseFormReturn<ClientForm>, 'control' | 'setValue' | 'getFieldState'>;
  options: readonly InboundOption[];
  isNew: boolean;
}

/** The plan of a client. Choosing one fills in what the plan says; nothing is shown where there are none. */
export function PlanField({ form, options, isNew }: PlanFieldProps) {
  const { t } = useTranslation('plans');
  const plans = usePlans();
  const rows = plans.data ?? [];
  const choose = (id: string): void => {
    const plan = rows.find((one) => String(one.id) === id);
    if (plan === undefined) return;
    const filled = fromPlan(plan);
    for (const [name, value] of Object.entries(filled))
      form.setValue(name as keyof ClientForm, value, { shouldDirty: true });
    const chosen = options.filter((option) => filled.inboundIds?.includes(String(option.id)) === true);
    if (isNew && filled.flow === undefined && chosen.length > 0 && !form.getFieldState('flow').isTouched)
      form.setValue('flow', firstFlow(chosen), { shouldDirty: true });
  };
  return (
    <Controller
      name="planId"
      control={form.control}
      render={({ field: { value, onChange } }) => {
        const isGone = value !== '' && rows.every(({ id }) => String(id) !== value);
        const failure = failureOf(plans);
        if (failure !== undefined) return <Select label={t('choose')} data={[]} disabled error={failure} />;
        if (rows.length === 0 && (value === '' || plans.data === undefined)) return <></>;
        return (
          <Select
            label={t('choose')}
            description={t('hint')}
            data={[
              { value: '', label: t('noPlan') },
              ...rows.map(({ id, name }) => ({ value: String(id), label: name })),
              ...(isGone ? [{ value, label: t('gone') }] : []),
            ]}
            value={value}
            onChange={(id) => {
              onChange(id ?? '');
              choose(id ?? '');
            }}
            allowDeselect={false}
            searchable={rows.length > 10}
          />
        );
      }}
    />
  );
}
