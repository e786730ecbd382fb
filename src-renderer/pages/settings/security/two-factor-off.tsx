import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { updateSettings } from '#contract/settings';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
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
    const twoFactorCode = code.replaceAll(' ', '');
    save.mutate(
      { body: { twoFactorEnable: false, twoFactorCode } },
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
          <TextInput
            label={t('words:twoFactorCode')}
            autoComplete="one-time-code"
            inputMode="numeric"
            dir="ltr"
            required
            data-autofocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
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
