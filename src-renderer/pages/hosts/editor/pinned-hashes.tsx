import { Button, Stack, TagsInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { getRemoteCertHash } from '#contract/server';
import { bracketed, hostAndPort } from '#wire/host-and-port';
import { useCall } from '../../../api/transport-context.tsx';
import { announceFailure } from '../../../ui/notices/announce.ts';
import type { HostForm } from './host-form.ts';

interface PinnedHashesProps {
  form: UseFormReturn<HostForm>;
  /** Where apps reach the inbound unless the host has a port of its own; 0 = unknown. */
  inboundPort: number;
}

/** Hashes of the certificates that a client accepts from the host. */
export function PinnedHashes({ form, inboundPort }: PinnedHashesProps) {
  const { t } = useTranslation('hosts');
  const { control, formState } = form;
  const { errors } = formState;
  return (
    <Stack gap={4} align="flex-start">
      <div style={{ inlineSize: '100%' }}>
        <Controller
          name="pinnedPeerCertSha256"
          control={control}
          render={({ field: { value, onChange } }) => (
            <TagsInput
              label={t('field.pinnedPeerCertSha256')}
              dir="ltr"
              value={value}
              onChange={onChange}
              acceptValueOnBlur
              error={errors.pinnedPeerCertSha256?.message}
            />
          )}
        />
      </div>
      <ReadPins form={form} inboundPort={inboundPort} />
    </Stack>
  );
}

/** Fills in the hash of the certificate that the host's address presents now. */
function ReadPins({ form, inboundPort }: PinnedHashesProps) {
  const { t } = useTranslation('hosts');
  const call = useCall();
  const [address, sni, ownPort, isOfAddress] = useWatch({
    control: form.control,
    name: ['address', 'sni', 'port', 'overrideSniFromAddress'],
  });
  const port = ownPort || inboundPort;
  const name = address === '' ? sni : address;
  const read = useMutation({
    mutationFn: () => {
      const server = port > 0 ? hostAndPort(name, port) : bracketed(name);
      // A server may have another certificate for each name.
      return call(getRemoteCertHash, { body: { server, ...(sni === '' || isOfAddress ? {} : { sni }) } });
    },
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
