import { Button, Modal, PasswordInput, Stack } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { TwoFactorCodeField } from '../../forms/two-factor-code-field.tsx';
import { DialogFooter } from '../../ui/layout/dialog-footer.tsx';

/** Proof in the body of a delicate change: one of the two. */
export interface Proof {
  currentPassword?: string;
  twoFactorCode?: string;
}

interface StepUpProps {
  isOpen: boolean;
  /** Whether the change is under way with the last proof: it is neither sent again nor given up. */
  isSending: boolean;
  /** Why the last proof was refused; empty at first. */
  error: string;
  onProof: (proof: Proof) => void;
  onClose: () => void;
}

/** Asks for the admin's password or code again before a change that the server guards (`session.stepUpRequired`). */
export function StepUp({ isOpen, isSending, error, onProof, onClose }: StepUpProps) {
  const { t } = useTranslation(['shell', 'words']);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isSending) return;
    onProof(code === '' ? { currentPassword: password } : { twoFactorCode: code });
  };
  return (
    <Modal opened={isOpen} onClose={isSending ? () => undefined : onClose} title={t('stepUp.title')}>
      <form onSubmit={handleSubmit}>
        <Stack>
          <PasswordInput
            label={t('stepUp.password')}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={error}
            data-autofocus
          />
          <TwoFactorCodeField label={t('stepUp.code')} value={code} onChange={setCode} />
          <DialogFooter {...(isSending ? {} : { onCancel: onClose })}>
            <Button type="submit" loading={isSending}>
              {t('words:confirm')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
