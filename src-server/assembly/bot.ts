import { hostname } from 'node:os';
import { Readable } from 'node:stream';
import { createBotChannel } from '../domains/bot/channel.ts';
import { createBotService } from '../domains/bot/service.ts';
import type { BotPanel, ManyChanged, ShownClient } from '../domains/bot/panel-port.ts';
import { emailOf, emailsOf, idsOwnedBy, identitiesOf } from '../domains/bot/repository.ts';
import { ClientInput } from '../domains/clients/contract.ts';
import { ClientPageQuery } from '../domains/clients/list/contract.ts';
import { subscriptionPrefixes, subscriptionUrl } from '../domains/settings/present.ts';
import type { Reason } from '../contract/envelope.ts';
import type { SubscriptionService } from '../domains/subscriptions/service.ts';
import { createGuardedDialer } from '../net/guarded-dialer.ts';
import { parseProxyAddress } from '../net/proxy/proxy-address.ts';
import { linkHostOf } from './link-host.ts';
import type { Parts } from './routes.ts';

/** The messaging bot, over the services that the panel's own calls use, and the delivery of news to its chats. */
export function createBot(parts: Parts, subscriptions: SubscriptionService) {
  const { closers, clock, monotonic, log, schedule, settings, english } = parts.base;
  const { egress } = parts.coreTools;
  const bot = createBotService({
    settings,
    panel: botPanel(parts, subscriptions),
    dialer: createGuardedDialer({
      log,
      egress: async () => {
        const proxy = parseProxyAddress(settings.current().tgBotProxy);
        // A configured proxy is used for everything.
        return proxy === null ? egress() : { via: proxy, isFar: true, takesOwnNetwork: true };
      },
    }),
    secret: () => settings.hidden('secret'),
    lastTaken: {
      read: () => settings.hidden('tgBotLastUpdate'),
      write: (text) => settings.setHidden('tgBotLastUpdate', text),
    },
    usedLinks: {
      read: () => settings.hidden('tgBotUsedLinks'),
      write: (text) => settings.setHidden('tgBotUsedLinks', text),
    },
    textOf: ({ code, params }) => english(code, params),
    clock,
    monotonic,
    schedule,
    log,
  });
  closers.push(() => bot.close());
  const channel = createBotChannel({ settings, bot, hostName: () => hostname(), log });
  return { ...bot, channel };
}

function botPanel(
  { base, engine, records, machine, serverTools, notifying }: Parts,
  subscriptions: SubscriptionService,
): BotPanel {
  const { store, settings } = base;
  const { clients, inbounds, plans } = records;
  const { traffic, clientIps } = engine;
  const linkHost = (): string => linkHostOf(settings.current());

  async function clientById(id: number): Promise<ShownClient | null> {
    const email = await emailOf(store.reader, id);
    const counters = email === null ? null : await clients.traffic(email);
    if (email === null || counters === null) return null;
    const { client, inboundIds } = await clients.get(email);
    return { record: client, traffic: counters, inboundIds };
  }

  return {
    settings: () => settings.current(),
    status: () => machine.server.status(),
    hostName: () => hostname(),
    onlineCount: () => traffic.onlineEverywhere().size,
    isOnline: (email) => traffic.onlineEverywhere().has(email),
    inbounds: () => inbounds.listCounted(),
    plans: () => plans.list(),
    page: (query) => clients.page({ ...ClientPageQuery.parse({}), ...query }),
    clientById,
    async idsOf(emails) {
      return new Map((await identitiesOf(store.reader, emails)).map(({ id, email }) => [email, id]));
    },
    ownedBy: (telegramId) => idsOwnedBy(store.reader, telegramId),
    async ownersOf(emails) {
      const found = await identitiesOf(store.reader, emails);
      return new Map(found.filter(({ tgId }) => tgId > 0).map(({ email, tgId }) => [email, tgId]));
    },
    async add(client, inboundIds) {
      await clients.add({ input: ClientInput.parse(client), inboundIds }, '');
    },
    async change(id, change) {
      const found = await clientById(id);
      if (found === null) return;
      // If left out, the client may be enabled again automatically when its limits are raised.
      const { enable: _enable, ...record } = found.record;
      // The flow of attachments is left alone.
      await clients.update(record.email, ClientInput.parse({ ...record, ...change }), new Set(), '');
    },
    async enable(email, isOn) {
      await clients.bulkSwitch([email], isOn, '');
    },
    async resetTraffic(email) {
      await clients.reset(email, '');
    },
    async resetAllTraffic() {
      await clients.resetAll('');
    },
    emailsOf: (ids) => emailsOf(store.reader, ids),
    async enableMany(emails, isOn) {
      const { changed, skipped } = await clients.bulkSwitch(emails, isOn, '');
      return manyChanged(changed, skipped);
    },
    async resetMany(emails) {
      const { affected } = await clients.bulkReset(emails, '');
      return manyChanged(affected, []);
    },
    async adjustMany(emails, by) {
      const { adjusted, skipped } = await clients.bulkAdjust(emails, { ...by, flow: '' }, '');
      return manyChanged(adjusted, skipped);
    },
    async shutOut() {
      const { tgLang: language } = settings.current();
      const filter = { language, kinds: 'client.addresses', before: 0, limit: 30 };
      const { events } = await notifying.events.list(filter);
      return events.map(({ at, title, body }) => ({ atMs: at, text: [title, ...body.split('\n')].join(' · ') }));
    },
    addressesOf: (email) => clientIps.log(email),
    async forgetAddresses(email) {
      await clientIps.clear(email);
    },
    linksOf: (email) => subscriptions.linksOfClient(email, linkHost()),
    subscriptionOf(subId) {
      const current = settings.current();
      return current.subEnable ? subscriptionUrl(subscriptionPrefixes(current, linkHost()).raw, subId) : '';
    },
    async restartCore() {
      await machine.server.restartCore();
    },
    logTail: (lines) => serverTools.logs.panelLog(String(lines), { isSyslog: false, filter: '' }),
    async backupFiles(passphrase) {
      const config = Buffer.from(JSON.stringify(await machine.server.config(), null, 2));
      const { fileName, bytes, body } = await serverTools.backups.database(
        settings.current().webDomain || hostname(),
        passphrase,
      );
      return [
        { name: fileName, size: bytes ?? Infinity, body },
        { name: 'config.json', size: config.length, body: Readable.from([config]) },
      ];
    },
  };
}

/** Bulk calls identify a refusal by its code; a refusal without one is recognised by its English text. */
function manyChanged(done: number, skipped: readonly (Reason & { email: string })[]): ManyChanged {
  return {
    done,
    skipped: skipped.map(({ email, reason, code = reason, params = {} }) => ({ email, code, params })),
  };
}
