import { Alert, Button, Modal, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { createGroup, renameGroup } from '#contract/groups';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { useLeaveGuard } from '../../forms/use-leave-guard.ts';
import { useWireForm } from '../../forms/use-wire-form.ts';
import { announceDone } from '../../ui/announce.ts';
import { DialogFooter } from '../../ui/dialog-footer.tsx';

const GroupForm = z.object({ name: z.string().min(1).max(64) });

/** Names a new group (`name` empty) or renames one. */
export function GroupDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { t } = useTranslation(['groups', 'shell']);
  const create = useChange(createGroup, [keys.groups]);
  const rename = useChange(renameGroup, [keys.groups, keys.clients]);
  const form = useWireForm(GroupForm, { name });
  const { errors, isDirty, isSubmitting } = form.formState;
  const handleClose = useLeaveGuard(isDirty, onClose);
  const handleSave = form.handleSubmit(async (values) => {
    const isSaved = await form.attempt(() =>
      name === ''
        ? create.mutateAsync({ body: { name: values.name } })
        : rename.mutateAsync({ body: { oldName: name, newName: values.name } }),
    );
    if (!isSaved) return;
    announceDone(t('saved', { name: values.name }));
    onClose();
  });
  return (
    <Modal
      opened
      onClose={handleClose}
      title={name === '' ? t('add') : t('rename')}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <form onSubmit={(event) => void handleSave(event)}>
        <Stack>
          {errors.root !== undefined && <Alert color="red">{errors.root.message}</Alert>}
          <TextInput label={t('name')} {...form.register('name')} error={errors.name?.message} data-autofocus />
          <DialogFooter>
            <Button variant="default" onClick={handleClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={isSubmitting}>
              {t('shell:save')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
