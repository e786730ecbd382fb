import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useConnection } from '../../stores/connection.ts';

/** Whether nothing can be saved because the panel does not answer. */
export const useSaveWaits = (): boolean => useConnection(({ isReachable }) => !isReachable);

/** Beside a save button: why saving waits. Empty when it does not. */
export function SaveWaits() {
  const { t } = useTranslation('shell');
  if (!useSaveWaits()) return null;
  return (
    <Text size="sm" role="status" style={{ flex: '1 1 12rem' }}>
      {t('connection.writesWait')}
    </Text>
  );
}
