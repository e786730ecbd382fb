import { MultiSelect, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { HostForm } from './host-form.ts';

const TEXTS = ['hostHeader', 'path', 'verifyPeerCertByName', 'echConfigList', 'vlessRoute'] as const;
const OBJECTS = ['muxParams', 'sockoptParams', 'finalMask'] as const;
const FORMATS = ['raw', 'json', 'yaml'] as const;
const IP_VERSIONS = ['dual', 'ipv4', 'ipv6', 'ipv4-prefer', 'ipv6-prefer'];

/** Rarely changed: the transport, the core's own objects, the formats that include the host. */
export function MoreFields({ form }: { form: UseFormReturn<HostForm> }) {
  const { t } = useTranslation('hosts');
  const { register, formState, control } = form;
  const { errors } = formState;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {TEXTS.map((name) => (
        <TextInput key={name} label={t(`field.${name}`)} dir="ltr" {...register(name)} error={errors[name]?.message} />
      ))}
      <Controller
        name="excludeFromSubTypes"
        control={control}
        render={({ field: { value, onChange } }) => (
          <MultiSelect
            label={t('field.excludeFromSubTypes')}
            data={FORMATS.map((format) => ({ value: format, label: t(`format.${format}`) }))}
            value={value}
            onChange={onChange}
          />
        )}
      />
      <Controller
        name="yamlIpVersion"
        control={control}
        render={({ field: { value, onChange } }) => (
          <Select
            label={t('field.yamlIpVersion')}
            data={IP_VERSIONS}
            value={value === '' ? null : value}
            onChange={(next) => onChange(next ?? '')}
            placeholder={t('inherits')}
            clearable
            clearButtonProps={{ 'aria-label': t('clear', { name: t('field.yamlIpVersion') }) }}
          />
        )}
      />
      {OBJECTS.map((name) => (
        <Textarea
          key={name}
          label={t(`field.${name}`)}
          description={t('hint.json')}
          dir="ltr"
          autosize
          minRows={2}
          spellCheck={false}
          {...register(name)}
          error={errors[name]?.message}
        />
      ))}
    </SimpleGrid>
  );
}
