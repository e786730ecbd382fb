import { Group, TextInput } from '@mantine/core';
import { Controller, useWatch, type FieldErrors, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CountField, QuotaField, SwitchField } from '../../../forms/controlled-fields.tsx';
import { TermField } from '../../../forms/dates/term-field.tsx';
import type { StoredTerm } from '../../../forms/dates/term.ts';
import { registered } from '../../../forms/registered.ts';
import type { ClientForm } from './client-form.ts';

interface LimitFieldsProps {
  form: Pick<UseFormReturn<ClientForm>, 'control' | 'register' | 'formState'>;
  errors: FieldErrors<ClientForm>;
  /** When the stored client ends. */
  term: StoredTerm | undefined;
}

/** How much, how long and from how many addresses a client may use the proxy, and the group it counts to. */
export function LimitFields({ form, errors, term }: LimitFieldsProps) {
  const { t } = useTranslation(['clients', 'plans', 'dates']);
  const { control } = form;
  const startsAtFirstUse = useWatch({ control, name: 'startsAtFirstUse' });
  return (
    <>
      <Group grow align="flex-start">
        <QuotaField control={control} name="quotaBytes" label={t('form.quota')} />
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
              stored={term}
              isFromFirstUse={startsAtFirstUse}
            />
          )}
        />
      </Group>
      <SwitchField control={control} name="startsAtFirstUse" label={t('plans:startsAtFirstUse')} />
      <Group grow align="flex-start">
        <CountField control={control} name="limitIp" label={t('form.limitIp')} />
        <TextInput label={t('form.group')} {...registered(form, 'group')} />
      </Group>
    </>
  );
}
