import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Protocols that are all about their clients. */
export function NoFields() {
  const { t } = useTranslation('inboundEditor');
  return (
    <Text size="sm" c="dimmed">
      {t('protocol.onlyClients')}
    </Text>
  );
}
