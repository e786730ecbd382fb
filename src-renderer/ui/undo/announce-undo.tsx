import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { getI18n } from 'react-i18next';

/** How long the notification of a change offers its undo. */
const OFFERED_MS = 12_000;

/** The current offer: undoing an earlier change beneath a later one would undo both, or neither. */
let offered: string | null = null;

/** Reports a successful change and offers its undo for a moment, while it has the focus, or until the next one. */
export function announceUndo(message: string, onUndo: () => void): void {
  const { t } = getI18n();
  if (offered !== null) notifications.hide(offered);
  const offer = (
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
  );
  const closeAfter = (autoClose: number | false) => () => notifications.update({ id, message: offer, autoClose });
  const id = notifications.show({
    color: 'teal',
    autoClose: OFFERED_MS,
    message: offer,
    onFocusCapture: closeAfter(false),
    onBlurCapture: closeAfter(OFFERED_MS),
  });
  offered = id;
}
