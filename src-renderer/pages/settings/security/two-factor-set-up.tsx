import { Alert, Button, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { updateSettings } from '#contract/settings';
import { keys } from '../../../api/keys.ts';
import { usePanelUrl } from '../../../api/panel-url.ts';
import { useChange } from '../../../api/use-change.ts';
import { TwoFactorCodeField } from '../../../forms/two-factor-code-field.tsx';
import { announceDone } from '../../../ui/notices/announce.ts';
import { CopyField } from '../../../ui/copy/copy-field.tsx';
import { DialogFooter } from '../../../ui/layout/dialog-footer.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { newTotpSecret, totpAddress } from './totp-secret.ts';

/** Generates a secret, shows it for the authenticator app, and activates it with one of its codes and the password. */
export function TwoFactorSetUp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['settings', 'words']);
  const [secret] = useState(() => newTotpSecret((bytes) => crypto.getRandomValues(bytes)));
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const panel = usePanelUrl();
  const save = useChange(updateSettings, [['twoFactor'], keys.settings]);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(
      { body: { twoFactorEnable: true, twoFactorToken: secret, twoFactorCode: code, currentPassword: password } },
      {
        onSuccess: () => {
          announceDone(t('twoFactor.turnedOn'));
          onClose();
        },
      },
    );
  };
  return (
    <Modal opened onClose={onClose} title={t('twoFactor.setUpTitle')} closeOnClickOutside={false}>
      <form onSubmit={handleSubmit}>
        <Stack>
          <Text size="sm">{t('twoFactor.scan')}</Text>
          <QrCode text={totpAddress(secret, panel?.host ?? '')} label="Switchyard" />
          <CopyField label={t('words:key')} value={secret} />
          <Alert color="gray" role="note">
            {t('twoFactor.recovery')}
          </Alert>
          <TwoFactorCodeField label={t('twoFactor.code')} required value={code} onChange={setCode} />
          <PasswordInput
            label={t('account.oldPassword')}
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Hint>{t('twoFactor.endNote')}</Hint>
          {save.error !== null && (
            <Alert color="red" role="alert" ref={bringIntoView}>
              {save.error.message}
            </Alert>
          )}
          <DialogFooter onCancel={onClose}>
            <Button type="submit" loading={save.isPending}>
              {t('twoFactor.turnOn')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}

/** The dialog is taller than many windows, and its button is at the end. */
function bringIntoView(alert: HTMLElement | null): void {
  alert?.scrollIntoView({ block: 'center' });
}
