import { CallError, type RawResponse, type RawRequest, type Transport } from '../../api/transport.ts';
import { unreachableWords } from '../../i18n/refusal-words.ts';
import { saveFile } from '../../ui/files/save-file.ts';

const ATTACHMENT = /^attachment; filename="?([^";]+)/;

/**
 * Sends a call as a program would: with an API token, without this browser's session. A file is saved; the response then
 * has no body.
 * @throws {CallError} when the panel does not answer
 */
export async function sendWithToken(
  transport: Pick<Transport, 'fileUrl'>,
  { method, path, body }: RawRequest,
  token: string,
): Promise<RawResponse> {
  const isForm = body instanceof FormData;
  try {
    const response = await fetch(transport.fileUrl(path), {
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
    const [, fileName] = ATTACHMENT.exec(response.headers.get('Content-Disposition') ?? '') ?? [];
    if (fileName !== undefined) saveFile(fileName, await response.blob());
    return {
      status: response.status,
      errorCode: response.headers.get('X-Error-Code') ?? '',
      body: fileName === undefined ? await response.json().catch(() => null) : undefined,
    };
  } catch {
    throw new CallError('network', unreachableWords());
  }
}
