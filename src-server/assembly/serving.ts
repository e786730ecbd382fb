import { createBot } from './bot.ts';
import { createFetchStamps } from '../domains/subscriptions/fetch-stamps.ts';
import { createLinkEngine } from '../domains/subscriptions/entries/link-engine.ts';
import { createRemoteSubscriptions } from '../domains/subscriptions/remote/remote-subscriptions.ts';
import { createSubscriptionService } from '../domains/subscriptions/service.ts';
import { createPanelServer } from '../http/listeners/create-http-server.ts';
import { createSubServer } from '../http/sub/create-sub-server.ts';
import { webInterface } from '../http/web-interface.ts';
import { hostsBeyond } from '../net/lan-addresses.ts';
import { makeImportFolder } from '../store/waiting-import.ts';
import { mailPages } from './mail-pages.ts';
import { routesOf, type Parts } from './routes.ts';
import { standbyRefusal } from '../domains/servers/service.ts';
import { openTrunks } from './trunks.ts';

export type Serving = Awaited<ReturnType<typeof createServing>>;

/** The two servers, not listening yet: the web interface with its calls, and subscriptions. */
export async function createServing(parts: Parts) {
  const { options, closers, dataDir, clock, log, store, english, hub, settings, session, tokens, standby } = parts.base;
  const { edgeSchedule: schedule } = parts.base;
  const { traffic } = parts.engine;
  const { fetcher } = parts.coreTools;
  const { challenges } = parts.certificates;
  const stamps = createFetchStamps({ store, schedule, clock, log });
  closers.push(() => stamps.close());
  const subscriptions = createSubscriptionService({
    store,
    settings,
    engine: createLinkEngine({ settings: () => settings.current() }),
    remotes: createRemoteSubscriptions({ dialer: fetcher, clock, report: (url, error) => stamps.remote(url, error) }),
    onFetched: (clientId) => stamps.client(clientId),
    isOnline: ({ email }) => traffic.onlineEverywhere().has(email),
    clock,
    log,
  });

  const bot = createBot(parts, subscriptions);
  const pages = options.webDir === undefined ? null : webInterface(options.webDir);
  const panelServer = createPanelServer({
    settings,
    auth: {
      session: (cookie) => session.session(cookie),
      bearer: (token) => tokens.authenticateBearer(token),
      visitorCsrfToken: (cookie) => session.visitorCsrfToken(cookie),
    },
    say: english,
    log,
    clock,
    schedule,
    localHost: () => hostsBeyond(settings.current().subListen)[0] ?? null,
    clientAuthorities: await settings.hidden('nodeMtlsClientCAPem'),
    isHstsAllowed: options.isHstsAllowed,
    ...(standby !== null && { standby: () => standbyRefusal(standby.active()) }),
    // Emptied at every start; otherwise uploads received by a killed panel would stay for ever.
    uploadFolder: await makeImportFolder(dataDir),
    ...(pages === null ? {} : { pages }),
    mount: routesOf(parts, subscriptions, bot),
    challenges,
  });
  panelServer.onUpgrade('/ws', (request, socket, head, who) => hub.handleUpgrade(request, socket, head, who));
  closers.push(() => panelServer.close());
  const { masters } = openTrunks(parts.base, parts.engine, panelServer);
  const sub = createSubServer({
    source: { ...subscriptions, mail: mailPages(parts.notifying.clientMail) },
    settings: () => settings.current(),
    schedule,
    clock,
    log,
    challenges,
  });
  closers.push(() => sub.close());
  const listeners = () => {
    const { webPort, subPort, subEnable } = settings.current();
    const web = { port: webPort, isTls: panelServer.speaksTls() };
    return subEnable && options.servesSubscriptions !== false
      ? [web, { port: subPort, isTls: sub.speaksTls() }]
      : [web];
  };

  const followCertificates = async (): Promise<void> => {
    await Promise.all([panelServer.followCertificate(), sub.followCertificate()]);
  };

  return { panelServer, sub, bot, masters, listeners, followCertificates };
}
