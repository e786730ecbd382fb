import { useTranslation } from 'react-i18next';
import { bulkSendClientLinks } from '#contract/mail';
import { useChange } from '../../../api/use-change.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { useShowResult } from './use-show-result.ts';

/** Sends clients their links by e-mail, and shows who cannot get one and why. */
export function useSendLinks(): (emails: readonly string[]) => void {
  const { t } = useTranslation('clientTools');
  const { mutate } = useChange(bulkSendClientLinks, []);
  const show = useShowResult();
  return (emails) =>
    mutate(
      { body: { emails: [...emails] } },
      {
        onSuccess: ({ queued, skipped }) =>
          show(t('mail.queued', { count: queued }), { done: queued, skipped, undo: undefined }),
        onError: announceFailure,
      },
    );
}
