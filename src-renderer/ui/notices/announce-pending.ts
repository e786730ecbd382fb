import { notifications } from '@mantine/notifications';
import { getI18n } from 'react-i18next';

/** Says of a change that it is stored and waits for a node. @param result what the panel returned for the change */
export function announcePending(result: unknown): void {
  if (typeof result !== 'object' || result === null) return;
  if (!('nodePending' in result) || result.nodePending !== true) return;
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
