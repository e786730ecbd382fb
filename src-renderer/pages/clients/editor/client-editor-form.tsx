import { Alert, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import type { getClient } from '#contract/clients';
import type { InboundOption } from '#contract/inbounds';
import { FormFields } from '../../../forms/form-fields.tsx';
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts';
import { useWireForm } from '../../../forms/use-wire-form.ts';
import { announceDone } from '../../../ui/notices/announce.ts';
import { Named } from '../../../ui/named.tsx';
import { SaveFooter } from '../../../ui/layout/save-footer.tsx';
import { Failure } from '../../../ui/notices/failure.tsx';
import { serverNow } from '../../../stores/server-clock.ts';
import { ClientConflict } from './client-conflict.tsx';
import { ClientForm, firstFlow, formPlace, NEW_CLIENT, storedTerm, toForm } from './client-form.ts';
import { CredentialFields } from './credential-fields.tsx';
import { InboundsField } from './inbounds-field.tsx';
import { LimitFields } from './limit-fields.tsx';
import { PlanField } from './plan-field.tsx';
import { RenewalFields } from './renewal-fields.tsx';
import { inboundLabel } from '../use-inbound-options.ts';
import { useEditConflict } from './use-edit-conflict.ts';
import { useSaveClient } from './use-save-client.ts';
import { SwitchField } from '../../../forms/controlled-fields.tsx';
import { registered } from '../../../forms/registered.ts';

interface ClientEditorFormProps {
  /** Null for a new client. */
  stored: z.output<(typeof getClient)['result']> | null;
  options: readonly InboundOption[];
  /** Chosen for a new client; 0 = none. */
  preferredInbound: number;
  onClose: () => void;
}

export function ClientEditorForm({ stored, options, preferredInbound, onClose }: ClientEditorFormProps) {
  const { t } = useTranslation('clients');
  const chosen = options.length === 1 ? options[0] : options.find(({ id }) => id === preferredInbound);
  const [openedMs] = useState(serverNow);
  const form = useWireForm(
    ClientForm,
    stored === null
      ? {
          ...NEW_CLIENT,
          ...(chosen !== undefined && { inboundIds: [String(chosen.id)], flow: firstFlow([chosen]) }),
        }
      : toForm(stored.client, stored.inboundIds, openedMs),
    formPlace,
  );
  const { errors, isDirty, isSubmitting } = form.formState;
  const handleClose = useLeaveGuard(isDirty, onClose);
  const conflict = useEditConflict(stored, openedMs);
  const [placed, setPlaced] = useState<number[] | null>(null);
  const save = useSaveClient(openedMs, (inboundIds) => {
    conflict.placed(inboundIds);
    setPlaced(inboundIds);
  });

  const handleSave = form.handleSubmit(async (values) => {
    if (!(await conflict.isCurrent())) return;
    if (!(await form.attempt(() => save(values, conflict.base)))) return;
    announceDone(t('form.saved', { email: values.email }));
    onClose();
  });
  const namesOf = (ids: readonly number[]): string =>
    options
      .filter(({ id }) => ids.includes(id))
      .map(inboundLabel)
      .join(', ') || t('form.noChoice');
  return (
    <Modal
      opened
      onClose={handleClose}
      size="lg"
      title={
        stored === null ? (
          t('form.titleNew')
        ) : (
          <Named sentence={(email) => t('form.titleEdit', { email })} name={stored.client.email} />
        )
      }
    >
      <form onSubmit={(event) => void handleSave(event)}>
        <Stack>
          {/* Shown anew after each save, and so in view. */}
          {!isSubmitting && (
            <>
              <ClientConflict form={form} conflict={conflict} options={options} />
              {placed !== null && (
                <Alert color="yellow" role="alert">
                  {t('form.partlySaved', { inbounds: namesOf(placed) })}
                </Alert>
              )}
              <Failure error={conflict.isDeleted ? { message: t('conflict.deleted') } : errors.root} />
            </>
          )}
          <FormFields isSaving={form.isSaving}>
            <TextInput label={t('form.email')} dir="auto" {...registered(form, 'email')} data-autofocus />
            <PlanField form={form} options={options} isNew={stored === null} />
            <InboundsField form={form} error={errors.inboundIds?.message} options={options} isNew={stored === null} />
            <LimitFields
              form={form}
              errors={errors}
              term={conflict.base === null ? undefined : storedTerm(conflict.base.client, openedMs)}
            />
            <FormProvider {...form}>
              <RenewalFields error={errors.renewalDays?.message} />
            </FormProvider>
            <Textarea label={t('form.comment')} {...registered(form, 'comment')} />
            <SwitchField control={form.control} name="enable" label={t('form.enable')} />
            <CredentialFields form={form} errors={errors} options={options} email={stored?.client.email ?? null} />
          </FormFields>
          <SaveFooter isSaving={isSubmitting} onCancel={handleClose} />
        </Stack>
      </form>
    </Modal>
  );
}
