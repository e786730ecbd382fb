import { Button, Checkbox, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { Failure } from '../../../ui/notices/failure.tsx';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { saveWebhook, WebhookSave, type Webhook } from '#contract/webhooks';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { FormConflict } from '../../../forms/conflict/form-conflict.tsx';
import { FormFields } from '../../../forms/form-fields.tsx';
import { useFormConflict } from '../../../forms/conflict/use-form-conflict.ts';
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts';
import { useWireForm } from '../../../forms/use-wire-form.ts';
import { registered } from '../../../forms/registered.ts';
import { DialogFooter } from '../../../ui/layout/dialog-footer.tsx';
import { SaveWaits } from '../../../ui/notices/save-waits.tsx';
import { NumberField } from '../../../forms/number-field.tsx';
import { useWebhooks } from './use-webhooks.ts';

const { name, url, allowPrivate, cpuPercent, secret, clearSecret } = WebhookSave.shape;
const Fields = z.object({
  name: name.unwrap(),
  url: url.unwrap(),
  allowPrivate: allowPrivate.unwrap(),
  cpuPercent: cpuPercent.unwrap(),
  secret: secret.unwrap(),
  clearSecret: clearSecret.unwrap(),
});
type Fields = z.infer<typeof Fields>;
const NEW: Fields = { name: '', url: '', allowPrivate: false, cpuPercent: 80, secret: '', clearSecret: false };

const toForm = ({ name, url, allowPrivate, cpuPercent }: Webhook): Fields => ({
  name,
  url,
  allowPrivate,
  cpuPercent,
  secret: '',
  clearSecret: false,
});
const LABELS = { name: 'words:name', url: 'words:address' } as const;

/** Adds a webhook (`null`) or edits one; its kinds are chosen in the grid. */
export function WebhookDialog({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) {
  const { t } = useTranslation(['notifications', 'shell', 'words']);
  const save = useChange(saveWebhook, [keys.events]);
  const form = useWireForm(Fields, webhook === null ? NEW : toForm(webhook));
  const { errors, isSubmitting, isDirty } = form.formState;
  const webhooks = useWebhooks();
  const conflict = useFormConflict({
    stored: webhook,
    readAgain: async () => (await webhooks.refetch()).data?.find(({ id }) => id === webhook?.id),
    form,
    toForm,
  });
  const close = useLeaveGuard(isDirty, onClose);
  const isErased = form.watch('clearSecret');
  const handleSave = form.handleSubmit(async (values) => {
    const body = webhook === null ? values : { ...values, id: webhook.id };
    if (!(await conflict.isCurrent())) return;
    if (await form.attempt(() => save.mutateAsync({ body }))) onClose();
  });
  return (
    <Modal opened onClose={close} title={t(webhook === null ? 'hooks.add' : 'hooks.edit')}>
      <form onSubmit={(event) => void handleSave(event)}>
        <Stack>
          <FormConflict
            title={t('hooks.conflict')}
            conflict={conflict}
            labelOf={(field) => (field === 'name' || field === 'url' ? t(LABELS[field]) : t(`hooks.${field}`))}
          />
          <Failure error={errors.root} />
          <FormFields isSaving={form.isSaving}>
            <TextInput label={t('words:name')} maxLength={64} required data-autofocus {...registered(form, 'name')} />
            <TextInput
              label={t('words:address')}
              type="url"
              placeholder="https://"
              dir="ltr"
              required
              {...registered(form, 'url')}
            />
            <Checkbox label={t('hooks.allowPrivate')} {...form.register('allowPrivate')} />
            <PasswordInput
              label={t('hooks.secret')}
              description={t(webhook?.hasSecret === true ? 'words:isSet' : 'hooks.secretNotSet')}
              autoComplete="new-password"
              dir="ltr"
              disabled={isErased}
              {...registered(form, 'secret')}
            />
            {webhook?.hasSecret === true && (
              <Checkbox size="xs" label={t('hooks.clearSecret')} {...form.register('clearSecret')} />
            )}
            <NumberField
              label={t('hooks.cpuPercent')}
              description={t('hooks.cpuHint')}
              min={0}
              max={100}
              value={form.watch('cpuPercent')}
              empty={0}
              onChange={(percent) => form.setValue('cpuPercent', percent, { shouldDirty: true })}
              error={errors.cpuPercent?.message}
            />
          </FormFields>
          <SaveWaits />
          <DialogFooter onCancel={close}>
            <Button type="submit" loading={isSubmitting}>
              {t('shell:save')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
