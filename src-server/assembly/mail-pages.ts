import type { MailStops } from '../domains/mail/mail-stops.ts';
import { STOP_PAGE_POLICY, stopPage } from '../domains/mail/stop-page.ts';
import { pageLanguage } from '../domains/subscriptions/page/page-texts.ts';
import type { MailSource } from '../http/sub/sub-source.ts';

/** Where clients stop e-mails: beside their subscriptions, which they can reach anyway. */
export function mailPages(stops: MailStops): MailSource {
  return {
    stopOf: (token) => stops.stopOf(token),
    stop: (token, isStopped) => stops.stop(token, isStopped),
    page: (isStopped, { language, accepted }) => ({
      html: stopPage(isStopped, pageLanguage(language, accepted)),
      policy: STOP_PAGE_POLICY,
    }),
  };
}
