import { Group, NumberInput, Switch, TextInput } from '@mantine/core';
import { Controller, type FieldErrors, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SizeField } from '../../../forms/size-field.tsx';
import type { ClientForm } from './client-form.ts';

interface LimitFieldsProps {
  form: Pick<UseFormReturn<ClientForm>, 'control' | 'register'>;
  errors: FieldErrors<ClientForm>;
}

/** How much, how long and from how many addresses a client may use the proxy, and the group it counts to. */
export function LimitFields({ form: { control, register }, errors }: LimitFieldsProps) {
  const { t } = useTranslation(['clients', 'plans']);
  return (
    <>
      <Group grow align="flex-start">
        <Controller
          name="quotaBytes"
          control={control}
          render={({ field: { value, onChange, onBlur, ref } }) => (
            <SizeField
              ref={ref}
              label={t('form.quota')}
              value={value}
              onChange={onChange}
              empty={0}
              onBlur={onBlur}
              error={errors.quotaBytes?.message}
            />
          )}
        />
        <Controller
          name="days"
          control={control}
          render={({ field: { value, onChange, onBlur } }) => (
            <NumberInput
              label={t('form.expiry')}
              allowDecimal={false}
              value={value ?? ''}
              onChange={(next) => onChange(next === '' ? null : Number(next))}
              onBlur={onBlur}
              error={errors.days?.message}
            />
          )}
        />
      </Group>
      <Controller
        name="startsAtFirstUse"
        control={control}
        render={({ field: { value, onChange } }) => (
          <Switch
            label={t('plans:startsAtFirstUse')}
            checked={value}
            onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          />
        )}
      />
      <Group grow align="flex-start">
        <Controller
          name="limitIp"
          control={control}
          render={({ field: { value, onChange, onBlur } }) => (
            <NumberInput
              label={t('form.limitIp')}
              min={0}
              allowDecimal={false}
              value={value}
              onChange={(next) => onChange(Number(next))}
              onBlur={onBlur}
              error={errors.limitIp?.message}
            />
          )}
        />
        <TextInput label={t('form.group')} {...register('group')} error={errors.group?.message} />
      </Group>
    </>
  );
}
