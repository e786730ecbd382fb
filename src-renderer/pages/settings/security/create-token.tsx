import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { createApiToken, type CreatedApiToken } from '#contract/tokens';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { useStepUp } from '../../../app/account/use-step-up.tsx';
import { FormFields } from '../../../forms/form-fields.tsx';
import { DialogFooter } from '../../../ui/layout/dialog-footer.tsx';
import { Failure } from '../../../ui/notices/failure.tsx';

/** Creates a token under a name. */
export function CreateToken({
  onCreated,
  onClose,
}: {
  onCreated: (token: CreatedApiToken) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['settings', 'words']);
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<Error | null>(null);
  const create = useChange(createApiToken, [keys.settings]);
  const { prove, dialog } = useStepUp();
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setFailure(null);
    prove(async (proof) => onCreated(await create.mutateAsync({ body: { name, ...proof } }))).catch(setFailure);
  };
  return (
    <Modal opened onClose={onClose} title={t('tokens.add')}>
      <form onSubmit={handleSubmit}>
        <Stack>
          <Failure error={failure} />
          <FormFields isSaving={create.isPending}>
            <TextInput
              label={t('words:name')}
              maxLength={64}
              required
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          </FormFields>
          <DialogFooter onCancel={onClose}>
            <Button type="submit" loading={create.isPending}>
              {t('tokens.add')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
      {dialog}
    </Modal>
  );
}
