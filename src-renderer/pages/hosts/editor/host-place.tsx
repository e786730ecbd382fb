import { MultiSelect, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { InboundOption } from '#contract/inbounds';
import type { HostForm } from './host-form.ts';
import { inboundName } from '../use-hosts.ts';
import { NumberField } from '../../../forms/number-field.tsx';
import { registered } from '../../../forms/registered.ts';

interface HostPlaceProps {
  form: UseFormReturn<HostForm>;
  inbounds: readonly InboundOption[];
  isGroup: boolean;
  isInboundFixed: boolean;
}

/** The inbounds the addresses are for, and the addresses. */
export function HostPlace({ form, inbounds, isGroup, isInboundFixed }: HostPlaceProps) {
  const { t } = useTranslation('hosts');
  const { control, register, formState } = form;
  const { errors } = formState;
  const data = inbounds.map((inbound) => ({ value: String(inbound.id), label: inboundName(inbound) }));
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={t('field.remark')}
        description={t('hint.remark')}
        dir="auto"
        {...register('remark')}
        error={errors.remark === undefined ? undefined : t('problem.remark')}
        data-autofocus
      />
      <Controller
        name="inboundIds"
        control={control}
        render={({ field: { value, onChange } }) =>
          isGroup ? (
            <MultiSelect
              label={t('field.inbounds')}
              description={t('hint.inbounds')}
              data={data}
              value={value}
              onChange={onChange}
              searchable
              error={errors.inboundIds === undefined ? undefined : t('problem.inbound')}
            />
          ) : (
            <Select
              label={t('field.inbound')}
              description={t('hint.inbound')}
              data={data}
              value={value[0] ?? null}
              onChange={(id) => onChange(id === null ? [] : [id])}
              disabled={isInboundFixed}
              searchable
              error={errors.inboundIds === undefined ? undefined : t('problem.inbound')}
            />
          )
        }
      />
      {isGroup ? (
        <Controller
          name="hosts"
          control={control}
          render={({ field: { value, onChange } }) => (
            <TagsInput
              label={t('field.hosts')}
              description={t('hint.hosts')}
              dir="ltr"
              value={value}
              onChange={onChange}
              splitChars={[',', ' ', '\n']}
              acceptValueOnBlur
              error={errors.hosts?.message}
            />
          )}
        />
      ) : (
        <TextInput
          label={t('field.address')}
          description={t('hint.address')}
          dir="ltr"
          {...registered(form, 'address')}
        />
      )}
      <Controller
        name="port"
        control={control}
        render={({ field: { value, onChange, onBlur } }) => (
          <NumberField
            label={t('field.port')}
            description={t('hint.port')}
            min={0}
            max={65_535}
            hideControls
            value={value === 0 ? null : value}
            empty={null}
            onChange={(next) => onChange(next ?? 0)}
            onBlur={onBlur}
            error={errors.port?.message}
          />
        )}
      />
    </SimpleGrid>
  );
}
