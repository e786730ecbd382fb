import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { getTwoFactorEnable, login } from '#contract/session';
import { useCall } from '../../api/transport-context.tsx';
import { useChange } from '../../api/use-change.ts';

/** User name and password, then the two-factor code where the panel asks for one. */
export function SignInForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('signIn');
  const call = useCall();
  const twoFactor = useQuery({ queryKey: ['twoFactor'], queryFn: () => call(getTwoFactorEnable, {}) });
  const signIn = useChange(login, []);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [twoFactorCode, setCode] = useState('');
  const [isAtCode, setAtCode] = useState(false);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (twoFactor.data === true && !isAtCode) setAtCode(true);
    else
      signIn.mutate(
        { body: { username, password, twoFactorCode: twoFactorCode.replaceAll(' ', '') } },
        { onSuccess: onDone },
      );
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack>
        {signIn.error !== null && (
          <Alert color="red" role="alert">
            {signIn.error.message}
          </Alert>
        )}
        {isAtCode ? (
          <TextInput
            key="code"
            label={t('code')}
            description={t('codeHint')}
            autoComplete="one-time-code"
            inputMode="numeric"
            value={twoFactorCode}
            onChange={(event) => setCode(event.currentTarget.value)}
            autoFocus
            required
          />
        ) : (
          <>
            <TextInput
              label={t('username')}
              autoComplete="username"
              value={username}
              onChange={(event) => setUsername(event.currentTarget.value)}
              data-autofocus
              required
            />
            <PasswordInput
              label={t('password')}
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              required
            />
          </>
        )}
        <Button type="submit" loading={signIn.isPending || twoFactor.isPending}>
          {isAtCode || twoFactor.data !== true ? t('submit') : t('next')}
        </Button>
        {isAtCode && (
          <Button variant="subtle" onClick={() => setAtCode(false)}>
            {t('back')}
          </Button>
        )}
      </Stack>
    </form>
  );
}
