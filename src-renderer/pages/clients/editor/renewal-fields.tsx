import { Group, Select } from '@mantine/core';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ClientForm, firstRenewalDays, maxRenewalDays } from './client-form.ts';
import { CountField } from '../../../forms/controlled-fields.tsx';

const RENEWALS = ClientForm.shape.renewal.options;

type RenewalForm = Pick<ClientForm, 'renewal' | 'renewalDays'>;

/**
 * How a client comes back by itself: never, after a period, or on a day of the month. Of the form around it, of a client or of a plan.
 * @param props.error what is wrong with the number
 */
export function RenewalFields({ error }: { error: string | undefined }) {
  const { control, setValue } = useFormContext<RenewalForm>();
  const { t } = useTranslation('clients');
  const renewal = useWatch({ control, name: 'renewal' });
  return (
    <Group grow align="flex-start">
      <Controller
        name="renewal"
        control={control}
        render={({ field: { value, onChange } }) => (
          <Select
            label={t('form.renewal')}
            data={RENEWALS.map((each) => ({ value: each, label: t(`form.renewals.${each}`) }))}
            value={value}
            onChange={(next) => {
              if (next === null) return;
              onChange(next);
              setValue('renewalDays', firstRenewalDays(next), { shouldDirty: true });
            }}
            allowDeselect={false}
          />
        )}
      />
      {renewal !== 'none' && (
        <CountField
          control={control}
          name="renewalDays"
          label={t(renewal === 'period' ? 'form.renewalPeriod' : 'form.renewalMonthDay')}
          description={renewal === 'monthDay' ? t('form.renewalNote') : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={1}
          max={maxRenewalDays(renewal)}
          error={error}
        />
      )}
    </Group>
  );
}
