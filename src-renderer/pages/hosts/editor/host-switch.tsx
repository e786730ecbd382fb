import { Switch } from '@mantine/core';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { HostForm } from './host-form.ts';

interface HostSwitchProps {
  form: UseFormReturn<HostForm>;
  name: 'enable' | 'overrideSniFromAddress' | 'keepSniBlank' | 'allowInsecure';
}

export function HostSwitch({ form, name }: HostSwitchProps) {
  const { t } = useTranslation('hosts');
  return (
    <Controller
      name={name}
      control={form.control}
      render={({ field: { value, onChange } }) => (
        <Switch
          label={t(`field.${name}`)}
          checked={value}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )}
    />
  );
}
