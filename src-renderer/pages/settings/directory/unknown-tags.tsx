import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Configured tags that no inbound has. */
export function UnknownTags({ tags }: { tags: readonly string[] }) {
  const { t } = useTranslation('settings');
  if (tags.length === 0) return null;
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {t('directory.unknownTags')} <bdi>{tags.join(', ')}</bdi>
    </Text>
  );
}
