import { Alert, Code, Group, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CHALLENGES } from '#contract/certificates';
import type { useWireForm } from '../../../forms/use-wire-form.ts';
import type { CertificateFields } from './certificate-form.ts';
import { SelectField, TagsField } from '../../../forms/controlled-fields.tsx';
import { registered } from '../../../forms/registered.ts';
import { NumberField } from '../../../forms/number-field.tsx';

export type CertificateForm = ReturnType<typeof useWireForm<CertificateFields>>;

const STANDARD_PORT = { 'http-01': 80, 'tls-alpn-01': 443 } as const;

interface ChallengeFieldsProps {
  form: CertificateForm;
  dnsHooks: readonly string[];
  dnsHookFolder: string;
}

/** How ownership of the domains is proved to the authority. */
export function ChallengeFields({ form, dnsHooks, dnsHookFolder }: ChallengeFieldsProps) {
  const { t } = useTranslation('certificates');
  const { errors } = form.formState;
  const challenge = form.watch('challenge');
  return (
    <>
      <SelectField
        control={form.control}
        name="challenge"
        label={t('field.challenge')}
        description={t(`challengeHint.${challenge}`)}
        data={CHALLENGES.map((name) => ({ value: name, label: t(`challenge.${name}`) }))}
      />
      {challenge === 'dns-01' ? (
        <DnsFields form={form} dnsHooks={dnsHooks} dnsHookFolder={dnsHookFolder} />
      ) : (
        <Group grow align="start">
          <NumberField
            label={t('field.challengePort')}
            description={t('hint.challengePort')}
            min={0}
            max={65_535}
            thousandSeparator=""
            value={form.watch('challengePort') || STANDARD_PORT[challenge]}
            onChange={(port) => {
              const isStandard = port === STANDARD_PORT[challenge];
              form.setValue('challengePort', isStandard ? 0 : port, { shouldDirty: true });
            }}
            error={errors.challengePort?.message}
          />
          <TextInput
            label={t('field.challengeAddress')}
            description={t('hint.challengeAddress')}
            dir="ltr"
            autoComplete="off"
            {...registered(form, 'challengeAddress')}
          />
        </Group>
      )}
    </>
  );
}

function DnsFields({ form, dnsHooks, dnsHookFolder }: ChallengeFieldsProps) {
  const { t } = useTranslation('certificates');
  const { errors } = form.formState;
  return (
    <>
      {dnsHooks.length === 0 && (
        <Alert color="yellow" title={t('hook.none')}>
          <Text size="sm">{t('hook.how')}</Text>
          <Code block dir="ltr">
            {dnsHookFolder}
          </Code>
        </Alert>
      )}
      <SelectField
        control={form.control}
        name="dnsHook"
        label={t('field.dnsHook')}
        description={t('hint.dnsHook')}
        data={[...dnsHooks]}
        required
      />
      <TagsField
        control={form.control}
        name="dnsArguments"
        label={t('field.dnsArguments')}
        description={t('hint.dnsArguments')}
        splitChars={[]}
        allowDuplicates
        acceptValueOnBlur
      />
      <NumberField
        label={t('field.dnsWaitSeconds')}
        min={0}
        max={3600}
        value={form.watch('dnsWaitSeconds')}
        empty={0}
        onChange={(seconds) => form.setValue('dnsWaitSeconds', seconds, { shouldDirty: true })}
        error={errors.dnsWaitSeconds?.message}
      />
    </>
  );
}
