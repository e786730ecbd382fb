import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import {
  createOutboundSub,
  DEFAULT_INTERVAL_SEC,
  previewOutboundSub,
  updateOutboundSub,
  type OutboundSub,
  type OutboundSubPreview,
} from '#contract/outboundSubs';
import { useCall } from '../../../api/transport-context.tsx';
import { useChange } from '../../../api/use-change.ts';
import { FormFields } from '../../../forms/form-fields.tsx';
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts';
import { useWireForm } from '../../../forms/use-wire-form.ts';
import { announceDone } from '../../../ui/notices/announce.ts';
import { Failure } from '../../../ui/notices/failure.tsx';
import { PreviewList } from './preview-list.tsx';
import { AFTER_CHANGE } from './subs-key.ts';
import { CountField, SwitchField } from '../../../forms/controlled-fields.tsx';
import { registered } from '../../../forms/registered.ts';

const SubForm = z.object({
  remark: z.string().max(256),
  url: z.url({ protocol: /^https?$/ }).max(2048),
  tagPrefix: z.string().max(64),
  updateInterval: z.number().int().min(60),
  allowPrivate: z.boolean(),
  prepend: z.boolean(),
  enabled: z.boolean(),
});
type SubForm = z.infer<typeof SubForm>;
const NEW: SubForm = {
  remark: '',
  url: '',
  tagPrefix: '',
  updateInterval: DEFAULT_INTERVAL_SEC,
  allowPrivate: false,
  prepend: false,
  enabled: true,
};
const SWITCHES = ['enabled', 'prepend', 'allowPrivate'] as const;

/** A subscription, with a preview of its outbounds before anything is stored. @param stored null adds one */
export function SubscriptionDialog({ stored, onClose }: { stored: OutboundSub | null; onClose: () => void }) {
  const { t } = useTranslation(['core', 'shell', 'words']);
  const call = useCall();
  const create = useChange(createOutboundSub, AFTER_CHANGE);
  const update = useChange(updateOutboundSub, AFTER_CHANGE);
  const form = useWireForm(SubForm, stored === null ? NEW : SubForm.parse(stored));
  const { errors, isDirty, isSubmitting } = form.formState;
  const handleClose = useLeaveGuard(isDirty, onClose);
  const preview = useMutation({
    mutationFn: async ({ url, tagPrefix, allowPrivate }: SubForm) =>
      (await call(previewOutboundSub, { body: { url, tagPrefix, allowPrivate, details: true } })) as OutboundSubPreview,
  });
  const handleSave = form.handleSubmit(async (body) => {
    const isSaved = await form.attempt(() =>
      stored === null ? create.mutateAsync({ body }) : update.mutateAsync({ params: { id: String(stored.id) }, body }),
    );
    if (!isSaved) return;
    announceDone(t('subs.saved'));
    onClose();
  });
  const handlePreview = form.handleSubmit((values) => preview.mutate(values));
  return (
    <Modal opened onClose={handleClose} size="lg" title={stored === null ? t('subs.add') : t('words:subscription')}>
      <form onSubmit={(event) => void handleSave(event)}>
        <Stack gap="sm">
          <Failure error={errors.root} />
          <FormFields isSaving={form.isSaving}>
            <TextInput
              label={t('words:address')}
              placeholder="https://example.org/list"
              dir="ltr"
              {...form.register('url')}
              error={errors.url === undefined ? undefined : t('subs.urlInvalid')}
              data-autofocus
            />
            <Group grow align="flex-start">
              <TextInput label={t('subs.remark')} {...registered(form, 'remark')} />
              <TextInput
                label={t('subs.prefix')}
                description={t('subs.prefixHint')}
                dir="ltr"
                {...registered(form, 'tagPrefix')}
              />
            </Group>
            <CountField control={form.control} name="updateInterval" label={t('subs.interval')} min={60} step={60} />
            {SWITCHES.map((name) => (
              <SwitchField key={name} control={form.control} name={name} label={t(`subs.switch.${name}`)} />
            ))}
          </FormFields>
          <Failure error={preview.error} />
          {preview.data !== undefined && <PreviewList preview={preview.data} />}
          <Group justify="space-between">
            <Button variant="default" loading={preview.isPending} onClick={() => void handlePreview()}>
              {t('subs.preview')}
            </Button>
            <Group gap="xs">
              <Button variant="default" onClick={handleClose}>
                {t('shell:cancel')}
              </Button>
              <Button type="submit" loading={isSubmitting}>
                {t('shell:save')}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
