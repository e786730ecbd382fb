import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CreatedApiToken } from '#contract/tokens';
import { CopyField } from '../../../ui/copy/copy-field.tsx';

/** Shows a token's value, only once: nothing but its button closes this. */
export function TokenShown({ token, onStored }: { token: CreatedApiToken; onStored: () => void }) {
  const { t } = useTranslation('settings');
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('tokens.shownTitle')}
    >
      <Stack>
        <Text size="sm">{t('tokens.shownText')}</Text>
        <CopyField label={t('tokens.value', { name: token.name })} value={token.token} />
        <Group justify="flex-end">
          <Button onClick={onStored}>{t('tokens.stored')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
