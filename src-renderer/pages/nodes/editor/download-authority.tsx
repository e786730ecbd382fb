import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { nodeAuthority } from '#contract/nodes/trust';
import { useCall } from '../../../api/transport-context.tsx';
import { saveFile } from '../../../ui/files/save-file.ts';

/** Downloads the certificate authority by which nodes recognise this panel; it is created on first use. */
export function DownloadAuthority() {
  const { t } = useTranslation('nodes');
  const call = useCall();
  const download = useMutation({
    mutationFn: () => call(nodeAuthority, {}),
    onSuccess: ({ caCert }) => saveFile('panel-authority.pem', caCert, 'application/x-pem-file'),
  });
  return (
    <div>
      <Button variant="default" size="xs" loading={download.isPending} onClick={() => download.mutate()}>
        {t('trust.download')}
      </Button>
      {download.isError && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          <bdi>{download.error.message}</bdi>
        </Text>
      )}
    </div>
  );
}
