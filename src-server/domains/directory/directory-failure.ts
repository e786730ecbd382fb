import {
  AdminLimitExceededError,
  InappropriateAuthError,
  InvalidCredentialsError,
  ResultCodeError,
  SizeLimitExceededError,
  TimeLimitExceededError,
} from 'ldapts';
import { DomainError } from '../../contract/domain-error.ts';
import { oneLine } from '../../contract/one-line.ts';
import { DialError } from '../../net/dial-error.ts';
import { plainReason } from '../../net/plain-reason.ts';
import type { DirectoryStage } from './contract.ts';

/** Why a directory session ended early, and at which stage. */
export class DirectoryError extends DomainError {
  readonly stage: DirectoryStage;
  constructor(
    stage: DirectoryStage,
    code: string,
    params: Record<string, string | number> = {},
    options?: ErrorOptions,
  ) {
    super(code, params, options);
    this.name = 'DirectoryError';
    this.stage = stage;
  }
}

/** Converts any error of a session to a failure that can be reported. */
export function directoryError(stage: DirectoryStage, error: unknown): DirectoryError {
  if (error instanceof DirectoryError) return error;
  const fail = (code: string, params: Record<string, string | number> = { text: oneLine(replyOf(error)) }) =>
    new DirectoryError(stage, code, params, { cause: error });
  if (error instanceof DialError && error.code === 'private')
    return fail('directory.private', { host: error.refused?.host ?? '', address: error.refused?.address ?? '' });
  if (stage === 'connect') return fail('directory.unreachable');
  if (stage === 'tls') return fail('directory.certificate');
  if (error instanceof InvalidCredentialsError || error instanceof InappropriateAuthError)
    return fail('directory.credentials');
  if (isPartial(error)) return fail('directory.partial');
  return fail(error instanceof ResultCodeError ? 'directory.refused' : 'directory.unreachable');
}

/** A directory often sends a number only; the library knows its name. */
function replyOf(error: unknown): string {
  if (!(error instanceof ResultCodeError)) return error instanceof Error ? plainReason(error) : String(error);
  const code = `${error.name.replace(/Error$/, '')} (0x${error.code.toString(16)})`;
  const message = error.message.replace(/ *Code: 0x[0-9a-f]+$/, '');
  return message === '' ? code : `${code}: ${message}`;
}

const isPartial = (error: unknown): boolean =>
  error instanceof SizeLimitExceededError ||
  error instanceof TimeLimitExceededError ||
  error instanceof AdminLimitExceededError;
