import { Alert, Button, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';

/** Replaces a page that crashed; the rest of the window stays usable. */
export function PageError() {
  const { t } = useTranslation('shell');
  const error = useRouteError();
  return (
    <Alert color="red" title={t('broken.title')} role="alert" m="md">
      <Stack align="flex-start">
        <bdi>{error instanceof Error ? error.message : String(error)}</bdi>
        <Button variant="default" onClick={() => location.reload()}>
          {t('broken.reload')}
        </Button>
      </Stack>
    </Alert>
  );
}
