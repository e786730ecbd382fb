import { notifications } from '@mantine/notifications';
import { getI18n } from 'react-i18next';

/** Says of a change that it is stored and waits for a node. @param answer what the panel answered to the change */
export function announcePending(answer: unknown): void {
  if (typeof answer !== 'object' || answer === null) return;
  if (!('nodePending' in answer) || answer.nodePending !== true) return;
  // One for many: what waits is the same.
  notifications.hide('node-pending');
  notifications.show({
    id: 'node-pending',
    message: getI18n().t('shell:nodePending'),
    color: 'yellow',
    autoClose: 10_000,
    role: 'status',
  });
}
