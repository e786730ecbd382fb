import type { Logger } from '../../contract/logger.ts';
import type { Store } from '../../store/open-store.ts';
import { subscriptionPrefixes, subscriptionUrl } from '../settings/present.ts';
import type { Settings } from '../settings/contract.ts';
import { createAppKinds } from './page/app-kinds.ts';
import { createComposer } from './compose.ts';
import { createHeaderPreview } from './header-preview.ts';
import { createClientLinks, isEnabled, textOf } from './entries/client-links.ts';
import { createInboundLinks } from './entries/inbound-links.ts';
import { renderInfoPage, type PageRequest } from './page/info-page.ts';
import { createLibrary } from './library.ts';
import type { LinkEngine, LinkFormat } from './entries/link-engine-port.ts';
import type { PageLink } from './page/link-lists.ts';
import { pageLanguage } from './page/page-texts.ts';
import { namingOf } from './entries/prepare-entries.ts';
import { fillIdentity, formEncoded, presentInfo, timeEndOf, totalsOf, type InfoView, type TimeEnd } from './present.ts';
import { subscribersOf, type Subscriber } from './repository.ts';
import { responseHeaders } from './response-headers.ts';

export interface SubscriptionServiceDeps {
  store: Store;
  settings: { current: () => Settings };
  engine: LinkEngine;
  remotes: { lines(url: string): Promise<readonly string[]> };
  /** Called for every client whose subscription an app has fetched. */
  onFetched: (clientId: number) => void;
  /** Whether it is connected now. */
  isOnline: (client: Subscriber) => boolean;
  clock: () => number;
  log: Logger;
}

/** Request data that links depend on. */
interface Origin {
  /** Host with port. */
  host: string;
  /** Host without port. */
  name: string;
}

interface FoundInfo {
  view: InfoView;
  links: PageLink[];
  end: TimeEnd;
}

/** Subscription responses for the subscription server and the panel; null = no client has the subId. */
export function createSubscriptionService(deps: SubscriptionServiceDeps) {
  const { store, settings, engine, clock } = deps;
  const library = createLibrary(store);
  const compose = createComposer({ ...deps, library });
  const appKinds = createAppKinds(deps.log);

  async function info(subId: string, { host, name }: Origin): Promise<FoundInfo | null> {
    const clients = await subscribersOf(store.turnReader, subId);
    const [first] = clients;
    if (first === undefined) return null;
    const current = settings.current();
    const prefixes = subscriptionPrefixes(current, host);
    const address = (prefix: string) => subscriptionUrl(prefix, subId);
    const view = presentInfo(clients, {
      subId,
      isOnline: clients.some(deps.isOnline),
      nowMs: clock(),
      title: fillIdentity(current.subTitle, first),
      supportUrl: fillIdentity(current.subSupportUrl, first, formEncoded),
      announce: fillIdentity(current.subAnnounce, first),
      datepicker: current.datepicker,
      subUrl: address(prefixes.raw),
      subJsonUrl: current.subJsonEnable ? address(prefixes.json) : '',
      subYamlUrl: current.subYamlEnable ? address(prefixes.yaml) : '',
    });
    const composed = await compose(clients.filter(isEnabled), { format: 'raw', isDisplay: true, requestName: name });
    return {
      view,
      end: timeEndOf(clients, clock()),
      links: composed.entries.map(({ name: shown, content, needsXray }) => ({
        name: shown,
        text: textOf(content),
        needsXray,
      })),
    };
  }

  return {
    formatsOf: (agent: string) => appKinds(settings.current(), agent),

    /** @param ownUrl address of the request. @returns `empty` when this format has no content. */
    async body(subId: string, format: LinkFormat, { name }: Origin, ownUrl: string) {
      const clients = await subscribersOf(store.turnReader, subId);
      const [first] = clients;
      if (first === undefined) return null;
      const { entries } = await compose(clients.filter(isEnabled), { format, isDisplay: false, requestName: name });
      if (entries.length === 0) return 'empty';
      const current = settings.current();
      const contributors = new Map(entries.map(({ client }) => [client.email, client]));
      return {
        text: engine.document(
          format,
          entries.map(({ content }) => content),
        ),
        headers: responseHeaders(totalsOf([...contributors.values()], clock()), first, current, ownUrl),
        title: fillIdentity(current.subTitle, first),
        delivered: () => clients.forEach(({ id }) => deps.onFetched(id)),
      };
    },

    async info(subId: string, origin: Origin): Promise<InfoView | null> {
      return (await info(subId, origin))?.view ?? null;
    },

    /** The page for browsers, with its content security policy. */
    async page(subId: string, origin: Origin, request: PageRequest) {
      const found = await info(subId, origin);
      if (found === null) return null;
      const current = settings.current();
      return renderInfoPage(found.view, found.links, {
        language: pageLanguage(request.language, request.accepted),
        request,
        nowMs: clock(),
        timeZone: namingOf(current).timeZone,
        end: found.end,
        brand: { color: current.subPageColor, picture: current.subPagePicture },
      });
    },

    ...createClientLinks({ store, compose }),
    ...createInboundLinks({ ...deps, library, compose }),
    previewHeaders: createHeaderPreview(deps),
  };
}
export type SubscriptionService = ReturnType<typeof createSubscriptionService>;
