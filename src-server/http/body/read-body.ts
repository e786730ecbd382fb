import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { constants, zstdDecompress } from 'node:zlib';
import type { Context } from 'koa';
import type { BodyEncoding } from '../../contract/endpoint.ts';
import { ValidationError } from '../../contract/envelope.ts';
import { hostilePart } from '../../contract/hostile-json.ts';
import { headerText } from '../guards/client-address.ts';
import { takeBody } from './unread-body.ts';

/** Largest ordinary body in bytes; uploads have their own limit. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Largest body of a caller that is not signed in: user name, password, code. */
const MAX_PUBLIC_BODY_BYTES = 64 * 1024;
/** Largest body after decompression. A panel that compresses what it sends keeps to the same limit. */
const MAX_DECODED_BYTES = 8 * 1024 * 1024;
/** 2^24 = 16 MiB: memory that a compressed body can make the decoder take. */
const MAX_WINDOW_LOG = 24;
const MAX_FORM_FIELDS = 20_000;

/** Whether bodies may arrive compressed; older Node versions cannot read them and must not offer it. */
export const canReadZstd = typeof zstdDecompress === 'function';

/** A body refused by its size, speed or encoding, with the HTTP status for that. `key` null = empty response. */
export class BodyRefusal extends Error {
  readonly status: 400 | 413 | 415;
  readonly key: string | null;
  readonly params: Readonly<Record<string, number>>;
  constructor(status: 400 | 413 | 415, key: string | null = null, params: Readonly<Record<string, number>> = {}) {
    super(key ?? `body refused with ${status}`);
    this.status = status;
    this.key = key;
    this.params = params;
  }
}

/** Limits of a body. Strangers get little room and no decompression. */
export interface BodyRules {
  encoding: Exclude<BodyEncoding, 'upload'>;
  isFromStranger: boolean;
}

/**
 * Reads a JSON or urlencoded body, checks `X-Config-Sha256` when present, decompresses zstd. Repeated form keys become an
 * array. An absent body reads as an empty object.
 * @throws {BodyRefusal} too large, another content encoding, damaged on the way.
 * @throws {ValidationError} of another kind than the endpoint takes, unreadable, nested too deep, or with `__proto__`
 *   or NUL inside.
 */
export async function readTextBody(koa: Context, { encoding, isFromStranger }: BodyRules): Promise<unknown> {
  const sent = contentEncoding(koa.req, isFromStranger);
  const received = await readBytes(koa, isFromStranger ? MAX_PUBLIC_BODY_BYTES : MAX_BODY_BYTES);
  const bytes = sent === 'zstd' ? await decompress(received) : received;
  checkHash(koa.req, bytes);
  if (bytes.length === 0) return {};
  const isJson = koa.is('json', '+json') !== false;
  const isForm = koa.is('urlencoded') !== false;
  if (!(isJson && encoding !== 'form') && !(isForm && encoding !== 'json'))
    throw new ValidationError([], EXPECTED[encoding]);
  const value = isJson ? parseJson(readText(bytes)) : parseForm(readText(bytes));
  const complaint = hostilePart(value);
  if (complaint !== null) throw new ValidationError([], complaint);
  return value;
}

const EXPECTED = {
  json: 'the body must be JSON, sent as application/json',
  form: 'the body must be a form, sent as application/x-www-form-urlencoded',
  either: 'the body must be sent as application/json or application/x-www-form-urlencoded',
};

async function readBytes(koa: Context, limit: number): Promise<Buffer> {
  const request = koa.req;
  const tooLarge = () => new BodyRefusal(413, 'request.tooLarge', { limit });
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  takeBody(request, koa.res);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // Leaving the loop early must not destroy the request: the refusal still has to be sent on its socket.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).length;
      if (length > limit) throw tooLarge();
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (error instanceof BodyRefusal) throw error;
    // The sender went away in the middle; no one reads the response.
    throw new BodyRefusal(400);
  }
  return Buffer.concat(chunks, length);
}

function contentEncoding(request: IncomingMessage, isFromStranger: boolean): string {
  const encoding = headerText(request.headers['content-encoding']).trim().toLowerCase();
  if (encoding === '' || encoding === 'identity' || (encoding === 'zstd' && canReadZstd && !isFromStranger))
    return encoding;
  throw new BodyRefusal(415);
}

/** Detects damage by a broken middlebox; it proves nothing about the sender. */
function checkHash(request: IncomingMessage, bytes: Buffer): void {
  const promised = headerText(request.headers['x-config-sha256']).trim().toLowerCase();
  if (promised !== '' && promised !== createHash('sha256').update(bytes).digest('hex')) throw new BodyRefusal(400);
}

async function decompress(bytes: Buffer): Promise<Buffer> {
  try {
    return await promisify(zstdDecompress)(bytes, {
      maxOutputLength: MAX_DECODED_BYTES,
      params: { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG },
    });
  } catch {
    throw new BodyRefusal(400);
  }
}

function readText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ValidationError([], 'the body is not valid UTF-8');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ValidationError([], `the body is not valid JSON: ${(error as Error).message}`);
  }
}

function parseForm(text: string): Record<string, string | string[]> {
  if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS)
    throw new ValidationError([], `the form has more than ${MAX_FORM_FIELDS} fields`);
  const fields = new Map<string, string | string[]>();
  for (const [key, value] of new URLSearchParams(text)) {
    const before = fields.get(key);
    if (before === undefined) fields.set(key, value);
    else if (Array.isArray(before)) before.push(value);
    else fields.set(key, [before, value]);
  }
  return Object.fromEntries(fields);
}
