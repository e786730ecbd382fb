import { GrammyError, HttpError } from 'grammy';
import { DomainError } from '../../../contract/domain-error.ts';

/** Most characters passed on from the API server's error text. */
const MAX_REASON = 300;

/** The API's reason for a failed call. It never contains the token, which is part of every API address. */
export function apiProblem(error: unknown, token: string): DomainError {
  const reasonOf = (text: string): string => text.replaceAll(token, '…').slice(0, MAX_REASON);
  if (error instanceof DomainError) return error;
  if (error instanceof GrammyError) {
    const { error_code: status, description, parameters } = error;
    const reason = reasonOf(description);
    // A malformed token leads to an address that does not exist.
    if (status === 401 || status === 404) return new DomainError('bot.tokenRefused', { reason });
    if (status === 409) return new DomainError('bot.conflict', { reason });
    if (status === 429) return new DomainError('bot.rateLimited', { seconds: parameters.retry_after ?? 0 });
    return new DomainError('bot.apiRefused', { status, reason });
  }
  const cause: unknown = error instanceof HttpError ? error.error : error;
  return new DomainError('bot.unreachable', {
    reason: reasonOf(cause instanceof Error ? cause.message : String(cause)),
  });
}

/** Seconds that the API server asks to wait; 0 = none. */
export function retryAfterOf(error: unknown): number {
  return error instanceof GrammyError ? (error.parameters.retry_after ?? 0) : 0;
}

/** The chat will never accept messages: it does not exist, or its owner has blocked the bot. */
export const isChatGone = (error: unknown): boolean =>
  error instanceof GrammyError && (error.error_code === 400 || error.error_code === 403);
