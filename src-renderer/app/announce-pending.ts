import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Says of every change that is stored here and waits for a node. */
export function useAnnouncePending(): void {
  const { t } = useTranslation('shell');
  const cache = useQueryClient();
  useEffect(
    () =>
      cache.getMutationCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success' || !isPending(event.action.data)) return;
        // One for many: what waits is the same.
        notifications.hide('node-pending');
        notifications.show({ id: 'node-pending', message: t('nodePending'), color: 'yellow', role: 'status' });
      }),
    [cache, t],
  );
}

const isPending = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'nodePending' in answer && answer.nodePending === true;
