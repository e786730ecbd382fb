import { Alert, Button, Group, Modal, PasswordInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionColor, ConnectionView, RefusedField } from '../../../src-main/bridge/contract.ts';
import { requireDesktop } from '../../api/desktop.ts';
import { FormFields } from '../../forms/form-fields.tsx';
import { useLeaveGuard } from '../../forms/use-leave-guard.ts';
import { useFormat } from '../../i18n/format.ts';
import { SaveFooter } from '../../ui/layout/save-footer.tsx';
import { Failure } from '../../ui/notices/failure.tsx';
import { COLORS, firstFields, toDraft, type Fields } from './connection-fields.ts';

interface DialogProps {
  /** Null for a new one. */
  connection: ConnectionView | null;
  prefilled: { address: string; name: string };
  onClose: () => void;
  onSaved: () => void;
}

/** Edits a remote panel: its address, how it is trusted, how to sign in. */
export function ConnectionDialog({ connection, prefilled, onClose, onSaved }: DialogProps) {
  const { t } = useTranslation(['desktop', 'connect', 'words']);
  const start = firstFields(connection, prefilled);
  const [fields, setFields] = useState<Fields>(start);
  const [refused, setRefused] = useState<readonly RefusedField[]>([]);
  const errors = Object.fromEntries(refused.map((field) => [field, t(`connect:refused.${field}`)]));
  const set = (part: Partial<Fields>): void => setFields((before) => ({ ...before, ...part }));
  const handleClose = useLeaveGuard(JSON.stringify(fields) !== JSON.stringify(start), onClose);
  const save = useMutation({ mutationFn: () => requireDesktop().connections.save(toDraft(fields, connection?.id)) });
  const handleSubmit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    // What failed is shown above the fields.
    const saved = await save.mutateAsync().catch(() => null);
    if (saved === null) return;
    if (saved.ok) onSaved();
    // A name that was left out is the host of the address.
    else setRefused(saved.refused.filter((field) => field !== 'name' || !saved.refused.includes('address')));
  };
  const isSecure = !fields.address.trim().startsWith('http:');
  return (
    <Modal opened onClose={handleClose} size="lg" title={connection === null ? t('add') : t('edit')}>
      <form onSubmit={(event) => void handleSubmit(event)}>
        <Stack>
          <Failure error={save.error} />
          <FormFields isSaving={save.isPending}>
            <TextInput
              label={t('words:address')}
              description={t('form.addressHint')}
              placeholder="https://panel.example.com:2053/base/"
              value={fields.address}
              onChange={(event) => set({ address: event.currentTarget.value })}
              error={errors['address']}
              dir="ltr"
              data-autofocus
            />
            {!isSecure && (
              <Alert color="yellow" role="note">
                {t('form.plain')}
              </Alert>
            )}
            <Group grow align="start">
              <TextInput
                label={t('words:name')}
                value={fields.name}
                onChange={(event) => set({ name: event.currentTarget.value })}
                error={errors['name']}
                maxLength={64}
              />
              <Select
                label={t('form.color')}
                value={fields.color}
                allowDeselect={false}
                data={COLORS.map((value) => ({ value, label: t(`color.${value}`) }))}
                onChange={(color) => set({ color: color as ConnectionColor })}
              />
            </Group>
            <Select
              label={t('form.signIn')}
              value={fields.signIn}
              allowDeselect={false}
              data={(['session', 'token', 'certificate'] as const).map((value) => ({
                value,
                label: t(`signIn.${value}`),
              }))}
              onChange={(signIn) => set({ signIn: signIn as Fields['signIn'] })}
              error={errors['signIn']}
              description={fields.signIn === 'session' ? t('form.sessionHint') : t('form.pollingHint')}
            />
            {fields.signIn === 'token' && (
              <PasswordInput
                label={t('form.token')}
                description={connection === null ? undefined : t('form.keep')}
                value={fields.token}
                onChange={(event) => set({ token: event.currentTarget.value })}
                error={errors['token']}
                autoComplete="off"
              />
            )}
            {isSecure && <TrustFields isNew={connection === null} fields={fields} errors={errors} set={set} />}
          </FormFields>
          <SaveFooter isLocal isSaving={save.isPending} onCancel={handleClose} />
        </Stack>
      </form>
    </Modal>
  );
}

interface TrustFieldsProps {
  isNew: boolean;
  fields: Fields;
  errors: Record<string, string>;
  set: (part: Partial<Fields>) => void;
}

/** How the panel's identity is checked. */
function TrustFields({ isNew, fields, errors, set }: TrustFieldsProps) {
  const { t } = useTranslation(['desktop', 'words']);
  const format = useFormat();
  const { connections } = requireDesktop();
  const certificate = useMutation({ mutationFn: () => connections.certificate(fields.address) });
  return (
    <>
      <Select
        label={t('words:certificate')}
        value={fields.trust}
        allowDeselect={false}
        data={(['verify', 'pin', 'mutual'] as const).map((value) => ({ value, label: t(`trust.${value}`) }))}
        onChange={(trust) => set({ trust: trust as Fields['trust'] })}
        error={errors['trust']}
      />
      {fields.trust !== 'verify' && (
        <>
          <TextInput
            label={t('form.fingerprint')}
            description={fields.trust === 'mutual' ? t('form.fingerprintOptional') : t('form.fingerprintHint')}
            value={fields.fingerprint}
            onChange={(event) => set({ fingerprint: event.currentTarget.value })}
            error={errors['fingerprint']}
            dir="ltr"
          />
          <Group>
            <Button
              variant="default"
              size="xs"
              loading={certificate.isPending}
              disabled={fields.address === ''}
              onClick={() => certificate.mutate(undefined, { onSuccess: ({ fingerprint }) => set({ fingerprint }) })}
            >
              {t('form.fetch')}
            </Button>
            <Text size="xs" c={certificate.isError ? 'red' : 'dimmed'} role="status">
              {certificate.isError && t('form.fetchFailed')}
              {certificate.data !== undefined &&
                t('form.fetched', {
                  subject: certificate.data.subject,
                  validTo: format.dateTime(certificate.data.validToMs),
                })}
            </Text>
          </Group>
        </>
      )}
      {fields.trust === 'mutual' && (
        <>
          <Textarea
            label={t('form.certificate')}
            value={fields.certificate}
            onChange={(event) => set({ certificate: event.currentTarget.value })}
            error={errors['certificate']}
            minRows={3}
            autosize
            maxRows={6}
            dir="ltr"
          />
          <Textarea
            label={t('form.clientKey')}
            description={isNew ? undefined : t('form.keep')}
            value={fields.clientKey}
            onChange={(event) => set({ clientKey: event.currentTarget.value })}
            error={errors['clientKey']}
            minRows={3}
            autosize
            maxRows={6}
            dir="ltr"
          />
        </>
      )}
    </>
  );
}
