import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';

interface Question {
  title: string;
  text: string;
  /** Names the deed: "Delete 12 clients". */
  deed: string;
  cancel: string;
  isDangerous?: boolean;
}

/** A short question before a deed. Resolves false when it was closed any other way. */
export function confirmDeed({ title, text, deed, cancel, isDangerous = true }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: <Text size="sm">{text}</Text>,
      labels: { confirm: deed, cancel },
      confirmProps: { color: isDangerous ? 'red.9' : 'indigo' },
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    });
  });
}
