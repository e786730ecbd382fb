import { CallError, type RawAnswer, type RawRequest, type Transport } from '../../api/transport.ts';
import { unreachableWords } from '../../i18n/refusal-words.ts';

/**
 * Sends a call as a program would: with an API token, without this browser's session.
 * @throws {CallError} when the panel does not answer
 */
export async function sendWithToken(
  transport: Pick<Transport, 'fileUrl'>,
  { method, path, body }: RawRequest,
  token: string,
): Promise<RawAnswer> {
  const isForm = body instanceof FormData;
  let response: Response;
  try {
    response = await fetch(transport.fileUrl(path), {
      method,
      credentials: 'omit',
      cache: 'no-store',
      headers: {
        Authorization: `Bearer ${token}`,
        'X-Requested-With': 'XMLHttpRequest',
        ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
  } catch {
    throw new CallError('network', unreachableWords());
  }
  return {
    status: response.status,
    errorCode: response.headers.get('X-Error-Code') ?? '',
    body: await response.json().catch(() => null),
  };
}
