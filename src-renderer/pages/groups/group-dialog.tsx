import { Modal, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { createGroup } from '#contract/groups';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { FormFields } from '../../forms/form-fields.tsx';
import { useLeaveGuard } from '../../forms/use-leave-guard.ts';
import { useWireForm } from '../../forms/use-wire-form.ts';
import { registered } from '../../forms/registered.ts';
import { announceDone } from '../../ui/notices/announce.ts';
import { SaveFooter } from '../../ui/layout/save-footer.tsx';
import { Failure } from '../../ui/notices/failure.tsx';

const GroupForm = z.object({ name: z.string().trim().min(1).max(64) });

/** Names a new group. Existing ones are renamed in their row. */
export function GroupDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('groups');
  const create = useChange(createGroup, [keys.groups]);
  const form = useWireForm(GroupForm, { name: '' });
  const { errors, isDirty, isSubmitting } = form.formState;
  const handleClose = useLeaveGuard(isDirty, onClose);
  const handleSave = form.handleSubmit(async ({ name }) => {
    if (!(await form.attempt(() => create.mutateAsync({ body: { name } })))) return;
    announceDone(t('saved', { name }));
    onClose();
  });
  return (
    <Modal opened onClose={handleClose} title={t('add')}>
      <form onSubmit={(event) => void handleSave(event)}>
        <Stack>
          <Failure error={errors.root} />
          <FormFields isSaving={form.isSaving}>
            <TextInput label={t('name')} {...registered(form, 'name')} data-autofocus />
          </FormFields>
          <SaveFooter isSaving={isSubmitting} onCancel={handleClose} />
        </Stack>
      </form>
    </Modal>
  );
}
