import { getDefaultZIndex, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnection } from '../../stores/connection.ts';
import { later } from '../../ui/notices/later.tsx';

const loadForm = () => import('../../pages/sign-in/page-sign-in.tsx');
const PRELOAD_MS = 3_000;
const PageSignIn = later(async () => (await loadForm()).PageSignIn);

/**
 * An expired session asks for a sign-in over the page, which keeps what was typed into it. So does a remote panel that
 * the window connects to for the first time.
 */
export function SignInAgain() {
  const { t } = useTranslation('signIn');
  const cache = useQueryClient();
  const { isSignedOut, wasSignedIn, setSignedOut } = useConnection();
  // Not part of the first page: loaded by the time a session ends.
  useEffect(() => {
    const timer = setTimeout(() => void loadForm().catch(() => undefined), PRELOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Modal
      opened={isSignedOut}
      onClose={() => undefined}
      withCloseButton={false}
      // Over every dialog and confirmation, also over one that was opened before.
      zIndex={getDefaultZIndex('modal') + 2}
      title={t(wasSignedIn ? 'again' : 'title')}
    >
      <Suspense fallback={null}>
        <PageSignIn
          onDone={() => {
            setSignedOut(false);
            useConnection.getState().retry?.now();
            void cache.invalidateQueries();
          }}
        />
      </Suspense>
    </Modal>
  );
}
