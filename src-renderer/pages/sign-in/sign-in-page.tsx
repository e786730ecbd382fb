import { Center, Group, Paper, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ProductMark } from '../../ui/product-mark.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** The sign-in page: all a visitor can see. */
export function SignInPage() {
  const { t } = useTranslation('signIn');
  const navigate = useNavigate();
  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={380}>
        <Group gap="sm" mb="lg" wrap="nowrap">
          <ProductMark size={36} />
          <Title order={1} size="h3">
            {t('title')}
          </Title>
        </Group>
        <SignInForm onDone={() => void navigate('/panel')} />
      </Paper>
    </Center>
  );
}
