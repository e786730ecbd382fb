import { useTranslation } from 'react-i18next';
import { listWebhooks, type WebhookAttempt } from '#contract/webhooks';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { connectionWords } from '../../../i18n/refusal-words.ts';
import { announceDone, announceFailures } from '../../../ui/notices/announce.ts';

export function useWebhooks() {
  return useRead(listWebhooks, {}, [...keys.events, 'webhooks']);
}

/** Shows a target's response: its status and its own words. */
export function useTellAttempt(): (attempt: WebhookAttempt) => void {
  const { t } = useTranslation('notifications');
  return ({ status, answer, error }) => {
    const words = [String(status), answer.trim()].filter(Boolean).join(' ');
    if (status >= 200 && status < 300) announceDone(t('hooks.answered', { status: words }));
    else if (status > 0) announceFailures([t('hooks.answered', { status: words })]);
    else announceFailures([t('hooks.notAnswered', { error: connectionWords(error) })]);
  };
}
