import { announce } from '../../contract/announce.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { Publish } from '../../contract/events.ts';
import { foldText } from '../../store/fold-text.ts';
import type { Store } from '../../store/open-store.ts';
import { PermanentFailure, type StoredEvent } from '../events/channel.ts';
import type { EventService } from '../events/service.ts';
import { mailAddress } from '../settings/checks/mail-address.ts';
import type { Settings } from '../settings/contract.ts';
import { subscriptionPrefixes } from '../settings/present.ts';
import type { SkippedLink } from './contract.ts';
import { eventMail, linkMail, type MailText } from './message.ts';
import { createMailStops } from './mail-stops.ts';
import { addresseeOf, addresseesOf, setMailStop, type Addressee } from './repository.ts';
import { stopToken } from './stop-token.ts';

export interface ClientMailDeps {
  store: Store;
  settings: { current(): Settings };
  events: Pick<EventService, 'takeAll'>;
  /** Signs the addresses at which clients stop e-mails. */
  secret: () => Promise<string>;
  /** Host name for links, if one is known without a request. */
  linkHost: () => string;
  textOf: (code: string) => string;
  clock: () => number;
  publish: Publish;
}

export const isMailOn = ({ smtpEnable, smtpHost }: Settings): boolean => smtpEnable && smtpHost !== '';

/** E-mail to clients whose name is an address: notifications, their link, and a way to opt out. */
export function createClientMail(deps: ClientMailDeps) {
  const { store, settings, events, secret, linkHost, textOf, clock, publish } = deps;
  const prefix = (): string => {
    const { raw } = subscriptionPrefixes(settings.current(), linkHost());
    return raw.endsWith('/') ? raw : `${raw}/`;
  };

  async function byEmail(email: string): Promise<Addressee> {
    const [found] = await addresseesOf(store.reader, [foldText(email)]);
    if (found === undefined) throw new DomainError('client.notFound');
    return found;
  }

  function requireMail(): void {
    const current = settings.current();
    if (!isMailOn(current)) throw new DomainError('mail.off');
    if (mailAddress(current.smtpFrom === '' ? current.smtpUsername : current.smtpFrom) === null)
      throw new DomainError('mail.noSender');
    if (!current.subEnable) throw new DomainError('mail.noSubscription');
  }

  const refusalOf = (client: Addressee | undefined): DomainError | null => {
    if (client === undefined) return new DomainError('client.notFound');
    if (mailAddress(client.email) === null) return new DomainError('mail.notAddress');
    return client.isStopped === 1 ? new DomainError('mail.stopped') : null;
  };

  const queue = (clients: readonly Addressee[]): Promise<void> =>
    events.takeAll(
      'client.link',
      clients.map(({ clientId, email }) => ({ clientId, email })),
    );

  return {
    /** The message for the client of an event; null when it has opted out, or is gone. */
    async letter(event: StoredEvent): Promise<MailText | null> {
      const clientId = Number(event.facts['clientId'] ?? 0);
      const client = await addresseeOf(store.reader, clientId);
      const current = settings.current();
      const { tgLang, subEnable } = current;
      if (client?.isStopped === 1) return null;
      const stopUrl = subEnable && client !== null ? `${prefix()}mail/${stopToken(await secret(), clientId)}` : '';
      if (event.kind !== 'client.link') return eventMail(event, current, { stopUrl });
      if (client === null) return null;
      if (!subEnable) throw new PermanentFailure(textOf('mail.noSubscription'));
      return linkMail(prefix() + encodeURIComponent(client.subId), tgLang, stopUrl);
    },
    /** Queues the links of these clients. @throws {DomainError} `mail.off`, `mail.noSender`, `mail.noSubscription` */
    async sendLinks(emails: readonly string[]): Promise<{ queued: number; skipped: SkippedLink[] }> {
      requireMail();
      const wanted = new Map(emails.map((email) => [foldText(email.trim()), email.trim()]));
      wanted.delete('');
      const found = await addresseesOf(store.heavyReader, [...wanted.keys()]);
      const byKey = new Map(found.map((client) => [client.emailKey, client]));
      const skipped = [...wanted].flatMap(([key, email]) => {
        const refusal = refusalOf(byKey.get(key));
        return refusal === null ? [] : [{ email, code: refusal.code, reason: textOf(refusal.code) }];
      });
      const willing = found.filter((client) => refusalOf(client) === null);
      await queue(willing);
      return { queued: willing.length, skipped };
    },
    /** @throws {DomainError} as {@link sendLinks}, and `client.notFound`, `mail.notAddress`, `mail.stopped` */
    async sendLink(email: string): Promise<void> {
      requireMail();
      const client = await byEmail(email);
      const refusal = refusalOf(client);
      if (refusal !== null) throw refusal;
      await queue([client]);
    },
    /** Sends new clients their links if the operator chose so. */
    async created(keys: readonly string[]): Promise<void> {
      const current = settings.current();
      if (!current.smtpNewClientLink || !isMailOn(current) || !current.subEnable) return;
      const found = await addresseesOf(store.heavyReader, keys);
      await queue(found.filter((client) => refusalOf(client) === null));
    },
    /** @throws {DomainError} `client.notFound` */
    async choice(email: string): Promise<{ isAddress: boolean; isStopped: boolean }> {
      const client = await byEmail(email);
      return { isAddress: mailAddress(client.email) !== null, isStopped: client.isStopped === 1 };
    },
    /** @throws {DomainError} `client.notFound` */
    async choose(email: string, isStopped: boolean, requestId: string): Promise<void> {
      const { clientId } = await byEmail(email);
      await store.write((trx) => setMailStop(trx, clientId, isStopped ? clock() : null));
      announce(publish, ['clients'], requestId);
    },
    ...createMailStops(deps),
  };
}
export type ClientMail = ReturnType<typeof createClientMail>;
