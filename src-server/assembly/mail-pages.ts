import { STOP_PAGE_POLICY, stopPage } from '../domains/mail/stop-page.ts';
import { pageLanguage } from '../domains/subscriptions/page/page-texts.ts';
import type { SubscriptionSource } from '../http/sub/sub-source.ts';
import type { Parts } from './routes.ts';

/** Where clients stop e-mails: beside their subscriptions, which they reach anyway. */
export function mailPages({ notifying }: Parts): Pick<SubscriptionSource, 'mailPage' | 'stopMail'> {
  const { clientMail } = notifying;
  return {
    async mailPage(token, { asked, accepted }) {
      const isStopped = await clientMail.stopOf(token);
      if (isStopped === null) return null;
      return { html: stopPage(isStopped, pageLanguage(asked, accepted)), policy: STOP_PAGE_POLICY };
    },
    stopMail: (token, isStopped) => clientMail.stop(token, isStopped),
  };
}
