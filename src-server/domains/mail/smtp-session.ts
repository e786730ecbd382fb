import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { getCACertificates } from 'node:tls';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { secureSocket } from '../../net/connect-socket.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { Settings } from '../settings/contract.ts';
import type { MailAddress } from '../settings/checks/mail-address.ts';
import type { MailStage } from './contract.ts';
import { MailError, mailError } from './mail-error.ts';

export interface OutgoingMail {
  from: MailAddress;
  to: readonly MailAddress[];
  subject: string;
  text: string;
  html: string;
  /** Address at which the reader opts out; empty = none. */
  stopUrl: string;
  /** Stays the same when a message is resent, so that duplicates are recognised; empty = generated. */
  identity: string;
  atMs: number;
}

/** A recipient that was refused while others were accepted. */
export interface RefusedRecipient {
  address: string;
  /** Response of the mail server; 4xx = it may be asked again. */
  reply: string;
}

/** What the mail library returns. */
interface Taken {
  rejected?: string[];
  rejectedErrors?: { recipient?: string; response?: string }[];
}

const FAREWELL_MS = 2_000;

export interface SmtpLimits {
  connectMs: number;
  conversationMs: number;
}

type Access = Pick<
  Settings,
  'smtpHost' | 'smtpPort' | 'smtpUsername' | 'smtpPassword' | 'smtpEncryptionType' | 'smtpAllowPrivate'
>;

/**
 * Sends a message to the mail server, over a new connection.
 * @returns recipients that were refused while others were accepted
 * @throws {MailError} with the stage that was reached
 */
export async function sendMail(
  dialer: Pick<GuardedDialer, 'connect'>,
  access: Access,
  mail: OutgoingMail,
  limits: SmtpLimits,
  caller: AbortSignal,
): Promise<RefusedRecipient[]> {
  let stage: MailStage = 'connect';
  let isSent = false;
  const late = AbortSignal.timeout(limits.connectMs + limits.conversationMs);
  const signal = AbortSignal.any([caller, late]);
  let connection: SMTPConnection | null = null;
  let socket: Socket | null = null;
  const cut = (): void => {
    connection?.close();
    socket?.destroy();
  };
  signal.addEventListener('abort', cut, { once: true });
  try {
    const message = await composed(mail);
    socket = await reached(dialer, access, limits, signal);
    stage = 'auth';
    connection = conversation(access, socket, limits);
    const ended = failure(connection, signal);
    await Promise.race([step((done) => connection!.connect(done)), ended]);
    const { smtpUsername: user, smtpPassword: pass } = access;
    if (user !== '' && pass !== '')
      await Promise.race([step((done) => connection!.login({ user, pass }, done)), ended]);
    stage = 'send';
    const envelope = { from: mail.from.address, to: mail.to.map(({ address }) => address) };
    const taken = await Promise.race([
      step<Taken>((done) => connection!.send(envelope, message, done as never)),
      ended,
    ]);
    isSent = true;
    connection.quit();
    const replyFor = (address: string): string =>
      taken.rejectedErrors?.find(({ recipient }) => recipient === address)?.response ?? '';
    return (taken.rejected ?? []).map((address) => ({ address, reply: replyFor(address) }));
  } catch (error) {
    throw mailError(error, stage, late.aborted);
  } finally {
    signal.removeEventListener('abort', cut);
    // A server that never answers QUIT must not keep the connection open.
    if (isSent) setTimeout(cut, FAREWELL_MS).unref();
    else cut();
  }
}

async function reached(
  dialer: Pick<GuardedDialer, 'connect'>,
  { smtpHost: host, smtpPort: port, smtpEncryptionType, smtpAllowPrivate: allowPrivate }: Access,
  { connectMs: timeoutMs }: SmtpLimits,
  signal: AbortSignal,
): Promise<Socket> {
  if (host === '') throw new MailError('mail.noHost', 'connect');
  const plain = await dialer.connect({ host, port, allowPrivate, timeoutMs, signal });
  if (smtpEncryptionType !== 'tls') return plain;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  return secureSocket(plain, host, { ...trust(), ALPNProtocols: undefined }, limit);
}

/** The system's CAs, and those in NODE_EXTRA_CA_CERTS. */
const trust = () => ({
  ca: [...getCACertificates('default'), ...getCACertificates('system')],
  minVersion: 'TLSv1.2' as const,
});

function conversation({ smtpHost, smtpPort, smtpEncryptionType }: Access, socket: Socket, limits: SmtpLimits) {
  return new SMTPConnection({
    connection: socket,
    host: smtpHost,
    port: smtpPort,
    name: 'localhost',
    secure: smtpEncryptionType === 'tls',
    secured: smtpEncryptionType === 'tls',
    requireTLS: smtpEncryptionType === 'starttls',
    ignoreTLS: smtpEncryptionType === 'none',
    tls: trust(),
    greetingTimeout: limits.conversationMs,
    socketTimeout: limits.conversationMs,
    logger: false,
  });
}

/** Never resolves; rejects on errors outside a step, and when the caller aborts. */
function failure(connection: SMTPConnection, signal: AbortSignal): Promise<never> {
  const ended = new Promise<never>((_resolve, reject) => {
    connection.on('error', reject);
    signal.addEventListener('abort', () => reject(new Error('given up')), { once: true });
  });
  ended.catch(() => {});
  return ended;
}

function step<T = unknown>(run: (done: (error?: Error | null, result?: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) =>
    run((error, result) => {
      if (error) reject(error);
      else resolve(result as T);
    }),
  );
}

/** Mail programs show an unsubscribe button for them, and call it by POST where that is safe (RFC 8058). */
const stopHeaders = (url: string): Record<string, string> => ({
  ...(url !== '' && { 'List-Unsubscribe': `<${url}>` }),
  ...(url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
});

function composed({ from, to, subject, text, html, stopUrl, identity, atMs }: OutgoingMail): Promise<Buffer> {
  const id =
    identity === ''
      ? randomBytes(16).toString('hex')
      : createHash('sha256').update(identity).digest('hex').slice(0, 32);
  const composer = new MailComposer({
    from: { ...from },
    to: to.map((one) => ({ ...one })),
    subject,
    text,
    html,
    date: new Date(atMs),
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...stopHeaders(stopUrl) },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
