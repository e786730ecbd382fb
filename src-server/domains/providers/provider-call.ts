import { DomainError } from '../../contract/domain-error.ts';
import { parseJsonObject } from '../../contract/json-text.ts';
import { DialError } from '../../net/dial-error.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 10 * 1024 * 1024;

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface ProviderAddress {
  base: string;
  /** Whether it may be in an internal network: only if the machine's operator has configured it. */
  isInternalAllowed: boolean;
}

/** Sends one request to a provider. */
export type ProviderCall = (request: ProviderRequest) => Promise<string>;

/** Default text for a response without an error message. */
export type RefusalText = (request: ProviderRequest, status: number, body: string) => string;

/** @throws {DomainError} `providers.unreachable`, `providers.refused` */
export function createProviderCall(
  dialer: Pick<GuardedDialer, 'fetch'>,
  { base, isInternalAllowed }: ProviderAddress,
  refusalText: RefusalText,
): ProviderCall {
  return async (request) => {
    const { method, path, headers = {}, body } = request;
    let response;
    try {
      response = await dialer.fetch(`${base}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        maxBytes: MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
        allowPrivate: isInternalAllowed,
      });
    } catch (error) {
      if (!(error instanceof DialError)) throw error;
      throw new DomainError('providers.unreachable', { text: error.message }, { cause: error });
    }
    const text = response.body.toString('utf8');
    if (response.status >= 200 && response.status < 300) return text;
    const errors = parseJsonObject(text)?.['errors'];
    const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
    const message = typeof first === 'object' && first !== null && 'message' in first ? first.message : undefined;
    const plain = refusalText(request, response.status, text.slice(0, 500));
    throw new DomainError('providers.refused', {
      text: typeof message === 'string' && message !== '' ? message : plain,
    });
  };
}
