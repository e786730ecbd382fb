import type { Store } from '../../store/open-store.ts';
import { subscriptionPrefixes } from '../settings/present.ts';
import type { Settings } from '../settings/contract.ts';
import { PAGE_POLICY, renderInfoPage } from './info-page.ts';
import { pageLanguage } from './page-texts.ts';
import { fillIdentity, formEncoded, presentInfo, type InfoView } from './present.ts';
import { subscribersOf } from './repository.ts';

export interface SubscriptionServiceDeps {
  store: Store;
  settings: { current: () => Settings };
  onlineEmails: () => ReadonlySet<string>;
  clock: () => number;
}

/** What the subscription server says about a subId; null = nobody has it. */
export function createSubscriptionService({ store, settings, onlineEmails, clock }: SubscriptionServiceDeps) {
  /** @param host Host of the request, with port: what addresses fall back to. */
  async function info(subId: string, host: string): Promise<InfoView | null> {
    const clients = await subscribersOf(store.reader, subId);
    const [first] = clients;
    if (first === undefined) return null;
    const current = settings.current();
    const prefixes = subscriptionPrefixes(current, host);
    const address = (prefix: string) => prefix + (prefix.endsWith('/') ? '' : '/') + encodeURIComponent(subId);
    const online = onlineEmails();
    return presentInfo(clients, {
      subId,
      isOnline: clients.some(({ email }) => online.has(email)),
      nowMs: clock(),
      title: fillIdentity(current.subTitle, first),
      supportUrl: fillIdentity(current.subSupportUrl, first, formEncoded),
      announce: fillIdentity(current.subAnnounce, first),
      datepicker: current.datepicker,
      subUrl: address(prefixes.raw),
      subJsonUrl: current.subJsonEnable ? address(prefixes.json) : '',
      subYamlUrl: current.subYamlEnable ? address(prefixes.yaml) : '',
    });
  }

  return {
    info,
    /** The page for browsers, with the policy it needs. @param asked language in the address, may be empty. */
    async page(subId: string, host: string, asked: string, acceptLanguage: string) {
      const view = await info(subId, host);
      if (view === null) return null;
      const language = pageLanguage(asked, acceptLanguage);
      return { html: renderInfoPage(view, { language, nowMs: clock() }), policy: PAGE_POLICY };
    },
  };
}
