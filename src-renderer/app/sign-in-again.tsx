import { Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { SignInForm } from '../pages/sign-in/sign-in-form.tsx';
import { useConnection } from '../stores/connection.ts';

/**
 * An expired session asks in place: the page and what was typed into it stay. So does a panel elsewhere that the window was
 * connected to for the first time.
 */
export function SignInAgain() {
  const { t } = useTranslation('signIn');
  const cache = useQueryClient();
  const { isSignedOut, wasSignedIn, setSignedOut } = useConnection();
  return (
    <Modal
      opened={isSignedOut}
      onClose={() => undefined}
      withCloseButton={false}
      title={t(wasSignedIn ? 'again' : 'title')}
    >
      <SignInForm
        onDone={() => {
          setSignedOut(false);
          void cache.invalidateQueries();
        }}
      />
    </Modal>
  );
}
