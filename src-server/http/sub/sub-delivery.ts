import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { headerText } from '../guards/client-address.ts';
import { isKnownTag } from '../entity-tag.ts';
import type { SubFormat, SubscriptionBody } from './sub-source.ts';

const TYPES = { raw: 'text/plain', json: 'text/plain', yaml: 'application/yaml' } as const;
/** Bodies hold secrets and live figures: not cached elsewhere, and requested again each time. */
const PRIVATE = { 'Cache-Control': 'private, no-cache' };
const NOT_STORED = { 'Cache-Control': 'no-cache, no-store, must-revalidate', Pragma: 'no-cache', Expires: '0' };

/** Delivers a subscription, or tells the app that it already has this version. */
export function deliver(
  request: IncomingMessage,
  response: ServerResponse,
  found: SubscriptionBody,
  how: { format: SubFormat; isOwnPath: boolean; isDownload: boolean },
): void {
  const { format, isOwnPath, isDownload } = how;
  const body = Buffer.from(found.text);
  const tag = `"${hash('sha1', body, 'base64url')}"`;
  const isJsonType = format === 'json' && (isDownload || !isOwnPath);
  const headers: Record<string, string | number> = {
    'Content-Type': `${isJsonType ? 'application/json' : TYPES[format]}; charset=utf-8`,
    'Content-Length': body.length,
    ETag: tag,
    // At the address of the raw links the response depends on the caller.
    Vary: 'Accept, User-Agent',
    ...PRIVATE,
    ...found.headers,
  };
  if (isDownload && format !== 'raw') headers['Content-Disposition'] = `attachment; filename="subscription.${format}"`;
  else if (format === 'yaml' && found.title !== '') headers['Content-Disposition'] = attachmentNamed(found.title);
  if (request.method === 'GET') found.delivered();
  if (isKnownTag(headerText(request.headers['if-none-match']), tag)) {
    delete headers['Content-Length'];
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : body);
}

/** Sends what people read: never stored. */
export function sendUnstored(request: IncomingMessage, response: ServerResponse, type: string, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length, ...NOT_STORED });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Every refusal looks alike. */
export function refuse(response: ServerResponse, status: 404 | 429 | 500 | 503): void {
  response.writeHead(status, { 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
}

/** Names a file in any script. */
function attachmentNamed(name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed());
  return `attachment; filename*=UTF-8''${encoded.replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}
