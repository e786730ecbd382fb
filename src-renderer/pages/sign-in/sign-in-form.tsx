import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { getTwoFactorEnable, login, SIGN_IN_LOCK } from '#contract/session';
import { usePanelUrl } from '../../api/panel-url.ts';
import { CallError } from '../../api/transport.ts';
import { useCall } from '../../api/transport-context.tsx';
import { useChange } from '../../api/use-change.ts';
import { TwoFactorCodeField } from '../../forms/two-factor-code-field.tsx';
import { LockNotice } from './lock-notice.tsx';
import { signInLockOf } from './sign-in-lock.ts';

/** User name and password, then the two-factor code if the panel asks for one. */
export function SignInForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation(['signIn', 'words']);
  const call = useCall();
  const twoFactor = useQuery({ queryKey: ['twoFactor'], queryFn: () => call(getTwoFactorEnable, {}) });
  const signIn = useChange(login, []);
  const [typedName, setTypedName] = useState('');
  // As the server stores it.
  const username = typedName.trim();
  const [password, setPassword] = useState('');
  const [twoFactorCode, setCode] = useState('');
  const [isAtCode, setAtCode] = useState(false);
  const signInLock = signInLockOf(usePanelUrl()?.href ?? '');
  // The lock is kept outside of React; a new time reads it again.
  const [nowMs, setNow] = useState(() => Date.now());
  const lookAgain = useCallback(() => setNow(Date.now()), []);
  const lockedUntilMs = signInLock.untilMs(username, nowMs);
  const attemptsLeft = signInLock.attemptsLeft(username, nowMs);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (lockedUntilMs > 0) return;
    if (twoFactor.data === true && !isAtCode) setAtCode(true);
    else
      signIn.mutate(
        { body: { username, password, twoFactorCode } },
        {
          onSuccess: () => {
            signInLock.succeeded(username);
            onDone();
          },
          onError: (error) => {
            if (error instanceof CallError && error.code === 'session.refused') signInLock.failed(username, Date.now());
            lookAgain();
          },
        },
      );
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack>
        {lockedUntilMs > 0 && <LockNotice untilMs={lockedUntilMs} onOver={lookAgain} />}
        {lockedUntilMs === 0 && signIn.error !== null && (
          <Alert color="red" role="alert">
            {signIn.error.message}
            {attemptsLeft < SIGN_IN_LOCK.failures - 1 && (
              <Text size="sm">{t('lock.ahead', { count: attemptsLeft, block: SIGN_IN_LOCK.blockMs / 60_000 })}</Text>
            )}
          </Alert>
        )}
        {isAtCode ? (
          <TwoFactorCodeField
            key="code"
            label={t('words:twoFactorCode')}
            description={t('codeHint')}
            value={twoFactorCode}
            onChange={setCode}
            autoFocus
            required
          />
        ) : (
          <>
            <TextInput
              label={t('words:username')}
              autoComplete="username"
              value={typedName}
              onChange={(event) => setTypedName(event.currentTarget.value)}
              // After the dialog has set its initial focus.
              autoFocus
              data-autofocus
              required
            />
            <PasswordInput
              label={t('words:password')}
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              required
            />
          </>
        )}
        <Button type="submit" loading={signIn.isPending || twoFactor.isPending} disabled={lockedUntilMs > 0}>
          {isAtCode || twoFactor.data !== true ? t('submit') : t('words:next')}
        </Button>
        {isAtCode && (
          <Button variant="subtle" onClick={() => setAtCode(false)}>
            {t('words:back')}
          </Button>
        )}
      </Stack>
    </form>
  );
}
