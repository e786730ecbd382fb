import { Group, NumberInput, Switch, TextInput } from '@mantine/core';
import { Controller, useWatch, type FieldErrors, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { TermField } from '../../../forms/dates/term-field.tsx';
import { SizeField } from '../../../forms/size-field.tsx';
import type { ClientForm } from './client-form.ts';

interface LimitFieldsProps {
  form: Pick<UseFormReturn<ClientForm>, 'control' | 'register'>;
  errors: FieldErrors<ClientForm>;
}

/** How much, how long and from how many addresses a client may use the proxy, and the group it counts to. */
export function LimitFields({ form: { control, register }, errors }: LimitFieldsProps) {
  const { t } = useTranslation(['clients', 'plans', 'dates']);
  const startsAtFirstUse = useWatch({ control, name: 'startsAtFirstUse' });
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
          name="term"
          control={control}
          render={({ field: { value, onChange, onBlur } }) => (
            <TermField
              daysLabel={t('form.expiry')}
              dayLabel={t('dates:lastDay')}
              value={value}
              onChange={onChange}
              onBlur={onBlur}
              error={errors.term?.message}
              isFromFirstUse={startsAtFirstUse}
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
