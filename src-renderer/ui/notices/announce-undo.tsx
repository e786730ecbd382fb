import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { getI18n } from 'react-i18next';

/** How long a change can be taken back from its notification. */
const OFFERED_MS = 12_000;

/** The offer on show: taking back an earlier change over a later one would undo both, or neither. */
let offered: string | null = null;

/** Says that a change succeeded and offers to take it back for a moment, or until the next one. */
export function announceUndo(message: string, onUndo: () => void): void {
  const { t } = getI18n();
  if (offered !== null) notifications.hide(offered);
  const id = notifications.show({
    color: 'teal',
    autoClose: OFFERED_MS,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            onUndo();
          }}
        >
          {t('shell:undo')}
        </Button>
      </Group>
    ),
  });
  offered = id;
}
