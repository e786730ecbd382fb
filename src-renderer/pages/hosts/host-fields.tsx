import {
  Accordion,
  Button,
  MultiSelect,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { hostTags } from '#contract/hosts';
import { getRemoteCertHash } from '#contract/server';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { announceFailure } from '../../ui/announce.ts';
import type { HostForm } from './host-form.ts';

const FINGERPRINTS = ['chrome', 'firefox', 'safari', 'ios', 'android', 'edge', '360', 'qq', 'random', 'randomized'];
const TEXTS = ['hostHeader', 'path', 'verifyPeerCertByName', 'echConfigList', 'vlessRoute'] as const;
const OBJECTS = ['muxParams', 'sockoptParams', 'finalMask'] as const;
const SECURITIES = ['same', 'tls', 'none', 'reality'] as const;
const FORMATS = ['raw', 'json', 'yaml'] as const;
const IP_VERSIONS = ['dual', 'ipv4', 'ipv6', 'ipv4-prefer', 'ipv6-prefer'];

/** What a host changes in the links of its inbound; everything empty inherits. */
export function HostFields({ form }: { form: UseFormReturn<HostForm> }) {
  const { t } = useTranslation('hosts');
  const call = useCall();
  const { data: tags = [] } = useQuery({
    queryKey: [...keys.hosts, 'tags'],
    queryFn: ({ signal }) => call(hostTags, {}, signal),
  });
  const { register, formState, control } = form;
  const { errors } = formState;
  const list = (name: 'tags' | 'pinnedPeerCertSha256', data: readonly string[]) => (
    <Controller
      name={name}
      control={control}
      render={({ field: { value, onChange } }) => (
        <TagsInput
          label={t(`field.${name}`)}
          dir="ltr"
          data={[...data]}
          value={value}
          onChange={(next) => onChange(name === 'tags' ? next.map((tag) => tag.toUpperCase()) : next)}
          acceptValueOnBlur
          error={errors[name] === undefined ? undefined : name === 'tags' ? t('problem.tags') : errors[name].message}
        />
      )}
    />
  );
  const flag = (name: 'enable' | 'overrideSniFromAddress' | 'keepSniBlank' | 'allowInsecure') => (
    <Controller
      name={name}
      control={control}
      render={({ field: { value, onChange } }) => (
        <Switch
          label={t(`field.${name}`)}
          checked={value}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )}
    />
  );
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {list('tags', tags)}
        <TextInput
          label={t('field.serverDescription')}
          dir="auto"
          maxLength={64}
          {...register('serverDescription')}
          error={errors.serverDescription?.message}
        />
        {flag('enable')}
      </SimpleGrid>
      <Accordion variant="contained" multiple defaultValue={['security']}>
        <Accordion.Item value="security">
          <Accordion.Control>{t('section.security')}</Accordion.Control>
          <Accordion.Panel>
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
              <TextInput label={t('field.sni')} dir="ltr" {...register('sni')} error={errors.sni?.message} />
              {flag('overrideSniFromAddress')}
              {flag('keepSniBlank')}
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
                  <MultiSelect
                    label={t('field.alpn')}
                    data={['h3', 'h2', 'http/1.1']}
                    value={value}
                    onChange={onChange}
                  />
                )}
              />
              <Stack gap={4} align="flex-start">
                <div style={{ inlineSize: '100%' }}>{list('pinnedPeerCertSha256', [])}</div>
                <ReadPins form={form} />
              </Stack>
              {flag('allowInsecure')}
            </SimpleGrid>
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="more">
          <Accordion.Control>{t('section.more')}</Accordion.Control>
          <Accordion.Panel>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              {TEXTS.map((name) => (
                <TextInput
                  key={name}
                  label={t(`field.${name}`)}
                  dir="ltr"
                  {...register(name)}
                  error={errors[name]?.message}
                />
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
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </>
  );
}

/** Fills the hashes with that of the certificate which the host's address presents right now. */
function ReadPins({ form }: { form: UseFormReturn<HostForm> }) {
  const { t } = useTranslation('hosts');
  const call = useCall();
  const [address, sni, port] = useWatch({ control: form.control, name: ['address', 'sni', 'port'] });
  const name = address === '' ? sni : address;
  const host = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
  const read = useMutation({
    mutationFn: () => call(getRemoteCertHash, { body: { server: port > 0 ? `${host}:${port}` : host } }),
    onSuccess: (hashes) => form.setValue('pinnedPeerCertSha256', hashes, { shouldDirty: true }),
    onError: announceFailure,
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      disabled={name === ''}
      loading={read.isPending}
      onClick={() => read.mutate()}
    >
      {t('readPins')}
    </Button>
  );
}
