import { DialError } from '../../net/dial-error.ts';
import { plainReason } from '../../net/plain-reason.ts';
import type { MailStage } from './contract.ts';
import { texts } from './texts.ts';

export type MailErrorCode =
  | 'mail.noHost'
  | 'mail.noSender'
  | 'mail.noRecipients'
  | 'mail.timeout'
  | 'mail.noAnswer'
  | 'mail.refused'
  | 'mail.private'
  | 'mail.unresolved'
  | 'mail.certificate'
  | 'mail.tls'
  | 'mail.noStarttls'
  | 'mail.starttls'
  | 'mail.auth'
  | 'mail.noAuth'
  | 'mail.rejected'
  | 'mail.closed'
  | 'mail.failed';

/** Why a message was not sent, at which stage, and the mail server's response. */
export class MailError extends Error {
  readonly code: MailErrorCode;
  readonly stage: MailStage;
  /** One line. */
  readonly reply: string;
  constructor(code: MailErrorCode, stage: MailStage, reply = '', options?: ErrorOptions) {
    super(reply === '' ? texts[code] : `${texts[code]}: ${reply}`, options);
    this.name = 'MailError';
    this.code = code;
    this.stage = stage;
    this.reply = reply;
  }
}

/** Fields that the mail library adds to its errors. */
interface SmtpFailure {
  code?: string;
  response?: string;
  responseCode?: number;
  command?: string;
  message: string;
}

const MAX_CHARACTERS = 500;

/** The time limit is checked first: what it aborts looks like a refused connection. */
export function mailError(error: unknown, stage: MailStage, isLate: boolean): MailError {
  if (error instanceof MailError) return error;
  const failure: SmtpFailure = error instanceof Error ? error : { message: String(error) };
  const reply = oneLine(failure.response ?? (error instanceof Error ? plainReason(error) : failure.message));
  const options = { cause: error };
  if (isLate || failure.code === 'ETIMEDOUT')
    return new MailError(stage === 'connect' ? 'mail.timeout' : 'mail.noAnswer', stage, '', options);
  // A TLS handshake that takes too long.
  if (error instanceof DialError && error.code === 'aborted') return new MailError('mail.noAnswer', stage, '', options);
  if (error instanceof DialError) return new MailError(dialCode(error), stage, reply, options);
  return new MailError(smtpCode(failure, stage), stage, reply, options);
}

function dialCode({ code, message }: DialError): MailErrorCode {
  switch (code) {
    case 'private':
      return 'mail.private';
    case 'unresolved':
      return 'mail.unresolved';
    case 'timeout':
      return 'mail.timeout';
    case 'tls':
      return isNoTls(message) ? 'mail.starttls' : 'mail.certificate';
    default:
      return 'mail.refused';
  }
}

function smtpCode({ code, responseCode, message }: SmtpFailure, stage: MailStage): MailErrorCode {
  if (/does not offer starttls|starttls.*not (supported|available)|error upgrading/i.test(message))
    return 'mail.noStarttls';
  if (/certificate|self.signed|altname|unable to verify/i.test(message)) return 'mail.certificate';
  if (code === 'ETLS' || isNoTls(message)) return 'mail.noStarttls';
  if (responseCode === 530 || responseCode === 534) return 'mail.starttls';
  if (responseCode !== 535 && /starttls/i.test(message)) return 'mail.starttls';
  if (responseCode === 538 || /unsupported|no.*auth.*(method|mechanism)/i.test(message)) return 'mail.noAuth';
  // Without sign-in, a server does not know the command, or expects another one.
  if (code === 'EAUTH' && [500, 502, 503, 504].includes(responseCode ?? 0)) return 'mail.noAuth';
  if (stage === 'auth' && (code === 'EAUTH' || responseCode === 535)) return 'mail.auth';
  if (code === 'EENVELOPE' || responseCode === 550 || responseCode === 554) return 'mail.rejected';
  if (responseCode === undefined && /closed|hang up|ECONNRESET|greeting/i.test(`${message} ${code ?? ''}`))
    return /greeting/i.test(message) ? 'mail.tls' : 'mail.closed';
  return 'mail.failed';
}

/** The peer does not speak TLS where TLS was expected. */
const isNoTls = (message: string): boolean =>
  /wrong version number|packet length too long|unknown protocol/i.test(message);

function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_CHARACTERS)
    .toWellFormed();
}
