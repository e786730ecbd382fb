import { Alert, Button, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { desktopBridge } from '../../api/desktop.ts';
import { useCurrentConnection } from '../../api/panel-url.ts';
import { laterTextsLoaded } from '../../i18n/i18n.ts';
import { useConnection } from '../../stores/connection.ts';
import { SignInForm } from './sign-in-form.tsx';

if (desktopBridge() !== null) await laterTextsLoaded();

/** Signs in to the panel of this page. In the window also leads to the other panels: without a password nothing else does. */
export function PageSignIn({ onDone }: { onDone: () => void }) {
  return desktopBridge() === null ? <SignInForm onDone={onDone} /> : <WindowSignIn onDone={onDone} />;
}

function WindowSignIn({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation(['connect', 'words']);
  const current = useCurrentConnection();
  const setSignedOut = useConnection((state) => state.setSignedOut);
  if (current === undefined) return null;
  // A password would open a session that this connection does not use.
  const { id, signIn: by } = current;
  const edit = by === 'session' ? '' : `?edit=${id}`;
  return (
    <Stack>
      {by === 'session' ? (
        <SignInForm onDone={onDone} />
      ) : (
        <Alert color="yellow" role="alert">
          {t(`notAccepted.${by}`)}
        </Alert>
      )}
      <Button
        variant={by === 'session' ? 'subtle' : 'filled'}
        component={Link}
        to={`/desktop/connections${edit}`}
        onClick={() => setSignedOut(false)}
      >
        {t('words:managePanels')}
      </Button>
    </Stack>
  );
}
