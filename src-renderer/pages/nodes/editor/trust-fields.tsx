import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { certFingerprint } from '#contract/nodes/probes';
import { useCall } from '../../../api/transport-context.tsx';
import { DownloadAuthority } from './download-authority.tsx';
import { toWire, type NodeForm } from './node-form.ts';
import { SelectField } from '../../../forms/controlled-fields.tsx';
import { registered } from '../../../forms/registered.ts';
import { Hint } from '../../../ui/layout/hint.tsx';

const MODES = ['verify', 'pin', 'mtls', 'skip'] as const;

/** How a node's certificate is checked, with the input each way needs. */
export function TrustFields({ form }: { form: UseFormReturn<NodeForm> }) {
  const { t } = useTranslation('nodes');
  const { control } = form;
  const scheme = useWatch({ control, name: 'scheme' });
  const mode = useWatch({ control, name: 'tlsVerifyMode' });
  const isEnrolled = form.formState.defaultValues?.tlsVerifyMode === 'enrolled';
  const effective = scheme === 'http' && mode !== 'enrolled' ? 'plain' : mode;
  const plain = (
    <Alert color="yellow" role="note">
      {t('tls.plainText')}
    </Alert>
  );
  if (effective === 'plain' && !isEnrolled) return plain;
  return (
    <Stack gap="xs">
      <SelectField
        control={control}
        name="tlsVerifyMode"
        label={t('fact.trust')}
        data={(isEnrolled ? (['enrolled', ...MODES] as const) : MODES).map((value) => ({
          value,
          label: t(`tls.${value}`),
        }))}
      />
      {effective === 'plain' && plain}
      {effective === 'enrolled' && <Hint>{t('tls.enrolledText')}</Hint>}
      {effective === 'verify' && <Hint>{t('tls.verifyText')}</Hint>}
      {effective === 'skip' && (
        <Alert color="red" role="note">
          {t('tls.skipText')}
        </Alert>
      )}
      {effective === 'pin' && <PinField form={form} />}
      {effective === 'mtls' && (
        <>
          <Hint>{t('tls.mtlsText')}</Hint>
          <DownloadAuthority />
        </>
      )}
    </Stack>
  );
}

/** The fingerprint, typed or read from the certificate that the node presents now. */
function PinField({ form }: { form: UseFormReturn<NodeForm> }) {
  const { t } = useTranslation('nodes');
  const call = useCall();
  const fetched = useMutation({
    mutationFn: () => call(certFingerprint, { body: toWire(form.getValues(), null) }),
    onSuccess: (pin) => form.setValue('pinnedCertSha256', pin, { shouldDirty: true, shouldValidate: true }),
  });
  const address = useWatch({ control: form.control, name: 'address' });
  return (
    <>
      <TextInput
        label={t('field.pinnedCertSha256')}
        description={t('tls.pinText')}
        dir="ltr"
        spellCheck={false}
        {...registered(form, 'pinnedCertSha256')}
      />
      <Group>
        <Button
          variant="default"
          size="xs"
          loading={fetched.isPending}
          disabled={address === ''}
          onClick={() => fetched.mutate()}
        >
          {t('tls.fetch')}
        </Button>
        <Text size="xs" c={fetched.isError ? 'var(--mantine-color-error)' : 'dimmed'} role="status" flex={1}>
          {fetched.isError && <bdi>{fetched.error.message}</bdi>}
          {fetched.isSuccess && t('tls.fetched')}
        </Text>
      </Group>
    </>
  );
}
