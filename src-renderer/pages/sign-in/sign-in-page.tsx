import { Center, Paper, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { SignInForm } from './sign-in-form.tsx';

/** The door: all that somebody who is not signed in can see. */
export function SignInPage() {
  const { t } = useTranslation('signIn');
  const navigate = useNavigate();
  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={380}>
        <Title order={1} size="h3" mb="lg">
          {t('title')}
        </Title>
        <SignInForm onDone={() => void navigate('/panel')} />
      </Paper>
    </Center>
  );
}
