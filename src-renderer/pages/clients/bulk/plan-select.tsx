import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Plan } from '#contract/plans';
import { failureOf } from '../../../api/use-read.ts';
import { usePlans } from '../../plans/use-plans.ts';

interface PlanSelectProps {
  /** null = none */
  value: Plan | null;
  onChange: (plan: Plan | null) => void;
}

/** A plan for new clients, or none. Nothing is shown where there are no plans. */
export function PlanSelect({ value, onChange }: PlanSelectProps) {
  const { t } = useTranslation('plans');
  const plans = usePlans();
  const failure = failureOf(plans);
  if (failure !== undefined) return <Select label={t('choose')} data={[]} disabled error={failure} />;
  const rows = plans.data ?? [];
  if (rows.length === 0) return null;
  return (
    <Select
      label={t('choose')}
      description={t('hint')}
      data={[{ value: '', label: t('noPlan') }, ...rows.map(({ id, name }) => ({ value: String(id), label: name }))]}
      value={value === null ? '' : String(value.id)}
      onChange={(chosen) => onChange(rows.find(({ id }) => String(id) === chosen) ?? null)}
      allowDeselect={false}
    />
  );
}
