import type { Logger } from '../../contract/logger.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import { PermanentFailure, type Channel, type StoredEvent } from '../events/channel.ts';
import { CLIENT_EVENT_KINDS } from '../events/contract.ts';
import { isMailOn, type ClientMail } from './client-mail.ts';
import { kindsOf } from '../events/kinds-of.ts';
import type { Settings } from '../settings/contract.ts';
import { mailAddress, type MailAddress } from '../settings/checks/mail-address.ts';
import type { MailStage } from './contract.ts';
import { MailError, mailError } from './mail-error.ts';
import { eventMail, testMail, type MailText } from './message.ts';
import type { OutgoingMail, SmtpLimits } from './smtp-session.ts';

/** Events that some recipients already have while others are asked again. */
const MAX_REMEMBERED = 1_000;
const LIMITS: SmtpLimits = { connectMs: 10_000, conversationMs: 30_000 };

export interface MailDeps {
  dialer: Pick<GuardedDialer, 'connect'>;
  settings: { current(): Settings };
  /** Kinds of events that clients are notified of. */
  clients: Pick<ClientMail, 'letter'>;
  /** Makes message ids unique across panels. */
  panelGuid: string;
  clock: () => number;
  log: Logger;
  limits?: SmtpLimits;
}

export interface MailService {
  /** Channel for the recipients in the settings. */
  admins: Channel;
  /** Channel for the client of an event, if its name is an address. */
  clients: Channel;
  /** Sends a test message with the settings in effect. */
  test(): Promise<{ stage: MailStage; error: MailError | null }>;
}

/** E-mail: events to admins, and optionally to clients. */
export function createMailService(deps: MailDeps): MailService {
  const { dialer, settings, clients, panelGuid, clock, log, limits = LIMITS } = deps;
  /** Addresses that have an event, by channel and event. */
  const delivered = new Map<string, Set<string>>();

  async function send(to: readonly MailAddress[], content: MailText, identity: string, signal: AbortSignal) {
    const access = settings.current();
    if (access.smtpHost === '') throw new MailError('mail.noHost', 'connect');
    const from = senderOf(access);
    if (from === null) throw new MailError('mail.noSender', 'send');
    if (to.length === 0) throw new MailError('mail.noRecipients', 'send');
    const mail: OutgoingMail = { from, to, ...content, identity, atMs: clock() };
    // The mail library is loaded for the first message.
    const { sendMail } = await import('./smtp-session.ts');
    return sendMail(dialer, access, mail, limits, signal);
  }

  async function deliver(
    channel: string,
    event: StoredEvent,
    { to, content }: { to: readonly MailAddress[]; content: MailText },
    signal: AbortSignal,
  ) {
    const key = `${channel} ${event.id}`;
    const done = delivered.get(key) ?? new Set<string>();
    const left = to.filter(({ address }) => !done.has(address));
    if (left.length === 0 && done.size > 0) return;
    try {
      const refused = await send(left, content, `${panelGuid} ${key}`, signal);
      if (refused.length > 0) log.warn('mail.recipientsRefused', { count: refused.length });
      delivered.delete(key);
      const putOff = refused.filter(({ reply }) => isForLater(reply));
      if (putOff[0] === undefined) return;
      for (const { address } of left) if (putOff.every((one) => one.address !== address)) done.add(address);
      delivered.set(key, done);
      const [oldest] = delivered.keys();
      if (delivered.size > MAX_REMEMBERED && oldest !== undefined) delivered.delete(oldest);
      throw new MailError('mail.rejected', 'send', putOff[0].reply);
    } catch (error) {
      const failure = mailError(error, 'connect', false);
      if (isFinal(failure)) throw new PermanentFailure(failure.message, { cause: error });
      throw failure;
    }
  }

  return {
    admins: {
      name: 'email',
      wants({ kind, facts }) {
        const current = settings.current();
        if (!isMailOn(current) || current.smtpTo.trim() === '') return false;
        if (!kindsOf(current.smtpEnabledEvents).includes(kind)) return false;
        return kind !== 'cpu.high' || (current.smtpCpu > 0 && Number(facts['percent']) > current.smtpCpu);
      },
      deliver(event, signal) {
        const current = settings.current();
        const content = eventMail(event, current, null);
        return deliver('email', event, { to: recipientsOf(current), content }, signal);
      },
    },
    clients: {
      name: 'email:clients',
      wants({ kind, facts }) {
        const current = settings.current();
        if (!isMailOn(current) || mailAddress(String(facts['email'] ?? '')) === null) return false;
        // Asking for the link counts as consent.
        if (kind === 'client.link') return true;
        if (!(CLIENT_EVENT_KINDS as readonly string[]).includes(kind)) return false;
        return kindsOf(current.smtpClientEvents).includes(kind);
      },
      async deliver(event, signal) {
        const to = mailAddress(String(event.facts['email'] ?? ''));
        const content = to === null ? null : await clients.letter(event);
        if (to === null || content === null) return;
        await deliver('email:clients', event, { to: [to], content }, signal);
      },
    },
    async test() {
      const current = settings.current();
      const signal = AbortSignal.timeout(limits.connectMs + limits.conversationMs);
      try {
        const refused = await send(recipientsOf(current), testMail(current.tgLang), '', signal);
        return {
          stage: 'send',
          error:
            refused.length === 0
              ? null
              : new MailError('mail.rejected', 'send', refused.map(({ address }) => address).join(', ')),
        };
      } catch (error) {
        const failure = mailError(error, 'connect', false);
        return { stage: failure.stage, error: failure };
      }
    },
  };
}

/** A mail server that answers 5xx will do so again. One that answers 4xx wants to be asked later (greylisting). */
const isFinal = ({ code, stage, reply }: MailError): boolean =>
  stage === 'send' && (/^5\d\d/.test(reply) || (code === 'mail.rejected' && !isForLater(reply)));

const isForLater = (reply: string): boolean => /^4\d\d/.test(reply);

function senderOf({ smtpFrom, smtpFromName, smtpUsername }: Settings): MailAddress | null {
  const sender = mailAddress(smtpFrom === '' ? smtpUsername : smtpFrom);
  if (sender === null) return null;
  return smtpFromName === '' ? sender : { ...sender, name: smtpFromName };
}

function recipientsOf({ smtpTo }: Settings): MailAddress[] {
  return smtpTo.split(',').flatMap((entry) => mailAddress(entry) ?? []);
}
