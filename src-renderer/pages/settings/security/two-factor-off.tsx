import { Button, Modal, Stack } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { updateSettings } from '#contract/settings';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { TwoFactorCodeField } from '../../../forms/two-factor-code-field.tsx';
import { announceDone } from '../../../ui/notices/announce.ts';
import { DialogFooter } from '../../../ui/layout/dialog-footer.tsx';
import { Failure } from '../../../ui/notices/failure.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';

/** Turns two-factor sign-in off, with a code of the active secret. */
export function TwoFactorOff({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['settings', 'words']);
  const [code, setCode] = useState('');
  const save = useChange(updateSettings, [['twoFactor'], keys.settings]);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(
      { body: { twoFactorEnable: false, twoFactorCode: code } },
      {
        onSuccess: () => {
          announceDone(t('twoFactor.turnedOff'));
          onClose();
        },
      },
    );
  };
  return (
    <Modal opened onClose={onClose} title={t('twoFactor.offTitle')}>
      <form onSubmit={handleSubmit}>
        <Stack>
          <Failure error={save.error} />
          <TwoFactorCodeField
            label={t('words:twoFactorCode')}
            required
            data-autofocus
            value={code}
            onChange={setCode}
          />
          <Hint>{t('twoFactor.endNote')}</Hint>
          <DialogFooter onCancel={onClose}>
            <Button type="submit" color="red.9" loading={save.isPending}>
              {t('twoFactor.turnOff')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
