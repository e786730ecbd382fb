import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Page } from '../../ui/page.tsx';
import { useDialogParam } from '../../ui/use-dialog-param.ts';

export function ClientsPage() {
  const { t } = useTranslation('clients');
  const dialog = useDialogParam('edit');
  return (
    <Page title={t('title')} actions={<Button onClick={() => dialog.open('')}>{t('add')}</Button>}>
      {null}
    </Page>
  );
}
