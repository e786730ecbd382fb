import { CLIENT_EVENT_KINDS } from '../domains/events/contract.ts';
import { desktopChannel } from '../domains/events/desktop-channel.ts';
import { createEventService } from '../domains/events/service.ts';
import { createClientMail } from '../domains/mail/client-mail.ts';
import { createMailService } from '../domains/mail/service.ts';
import { createWebhookService } from '../domains/webhooks/service.ts';
import type { GuardedDialer } from '../net/guarded-dialer.ts';
import type { Foundation } from './foundation.ts';
import { linkHostOf } from './link-host.ts';

export type Notifying = Awaited<ReturnType<typeof createNotifying>>;

/** Stores events and delivers them to the subscribers that chose them. */
export async function createNotifying(base: Foundation, dialer: GuardedDialer) {
  const { options, closers, store, secrets, clock, schedule, log, publish, subscribe, settings, panelGuid, english } =
    base;
  const events = createEventService({
    store,
    clock: base.steadyClock,
    schedule,
    log,
    publish,
    subscribe,
    settings,
    readMark: {
      read: async () => Number(await settings.hidden('eventsReadUpTo')),
      write: (id) => settings.setHidden('eventsReadUpTo', String(id)),
    },
  });
  closers.push(() => events.close());
  const clientMail = createClientMail({
    store,
    settings,
    events,
    secret: () => settings.hidden('secret'),
    linkHost: () => linkHostOf(settings.current()),
    textOf: (code) => english(code, {}),
    clock,
    publish,
  });
  const mail = createMailService({ dialer, settings, clients: clientMail, panelGuid, clock, log });
  const isOn = (): boolean => settings.current().smtpEnable;
  events.register(mail.admins, { setting: 'smtpEnabledEvents', isOn });
  events.register(mail.clients, { setting: 'smtpClientEvents', isOn, offers: CLIENT_EVENT_KINDS, isEach: true });
  if (typeof options.windowSocket === 'string')
    events.register(desktopChannel(settings, publish), { setting: 'desktopEnabledEvents' });
  const webhooks = await createWebhookService({ store, secrets, dialer, events, publish, clock });
  return { events, mail, clientMail, webhooks };
}
