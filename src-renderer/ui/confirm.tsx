import { Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { getI18n } from 'react-i18next';
import { FirstNames } from './first-names.tsx';

interface Confirmation {
  /** By which `modals.close` takes the question away. */
  id?: string;
  title: string;
  text: string;
  /** Names the action: "Delete 12 clients". */
  action: string;
  /** Label of the other button, when it is not "Cancel". */
  cancel?: string;
  /** What the action concerns, when the title gives only a number. */
  names?: readonly string[];
  isDangerous?: boolean;
}

/** Asks for a short confirmation before an action. Resolves false when it was closed any other way. */
export function confirmAction({
  id,
  title,
  text,
  action,
  cancel = getI18n().t('shell:cancel'),
  names = [],
  isDangerous = true,
}: Confirmation): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      ...(id === undefined ? {} : { modalId: id }),
      title,
      children: (
        <Stack gap="xs">
          {names.length > 1 && <FirstNames names={names} />}
          <Text size="sm">{text}</Text>
        </Stack>
      ),
      labels: { confirm: action, cancel },
      confirmProps: { color: isDangerous ? 'red.9' : 'indigo' },
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    });
  });
}
