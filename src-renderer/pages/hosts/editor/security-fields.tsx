import { MultiSelect, SegmentedControl, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { HostForm } from './host-form.ts';
import { PinnedHashes } from './pinned-hashes.tsx';
import { SwitchField } from '../../../forms/controlled-fields.tsx';
import { registered } from '../../../forms/registered.ts';

const FINGERPRINTS = ['chrome', 'firefox', 'safari', 'ios', 'android', 'edge', '360', 'qq', 'random', 'randomized'];
const SECURITIES = ['same', 'tls', 'none', 'reality'] as const;

/** How a client verifies the host's identity and hides its own. */
export function SecurityFields({ form, inboundPort }: { form: UseFormReturn<HostForm>; inboundPort: number }) {
  const { t } = useTranslation('hosts');
  const { control } = form;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <div>
        <Text size="sm" fw={500} mb={4}>
          {t('field.security')}
        </Text>
        <Controller
          name="security"
          control={control}
          render={({ field: { value, onChange } }) => (
            <SegmentedControl
              aria-label={t('field.security')}
              data={SECURITIES.map((kind) => ({ value: kind, label: t(`security.${kind}`) }))}
              value={value}
              onChange={onChange}
            />
          )}
        />
      </div>
      <TextInput label={t('field.sni')} dir="ltr" {...registered(form, 'sni')} />
      <SwitchField control={control} name="overrideSniFromAddress" label={t('field.overrideSniFromAddress')} />
      <SwitchField control={control} name="keepSniBlank" label={t('field.keepSniBlank')} />
      <Controller
        name="fingerprint"
        control={control}
        render={({ field: { value, onChange } }) => (
          <Select
            label={t('field.fingerprint')}
            data={value === '' || FINGERPRINTS.includes(value) ? FINGERPRINTS : [...FINGERPRINTS, value]}
            value={value === '' ? null : value}
            onChange={(next) => onChange(next ?? '')}
            placeholder={t('inherits')}
            clearable
            clearButtonProps={{ 'aria-label': t('clear', { name: t('field.fingerprint') }) }}
          />
        )}
      />
      <Controller
        name="alpn"
        control={control}
        render={({ field: { value, onChange } }) => (
          <MultiSelect label={t('field.alpn')} data={['h3', 'h2', 'http/1.1']} value={value} onChange={onChange} />
        )}
      />
      <PinnedHashes form={form} inboundPort={inboundPort} />
      <SwitchField control={control} name="allowInsecure" label={t('field.allowInsecure')} />
    </SimpleGrid>
  );
}
