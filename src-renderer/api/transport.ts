import type { Endpoint, EndpointShape } from '#wire/endpoint';
import type { Envelope, Refusal, ValidationIssue } from '#wire/envelope';
import type * as z from 'zod';
import { refusalTextsLoaded } from '../i18n/i18n.ts';
import { issueWords, noResponseWords, placedWords, refusalText, signedOutWords } from '../i18n/refusal-words.ts';
import type { Retry } from '../stores/connection.ts';

type Sent<E, K extends string> = E extends { [P in K]: infer T extends z.ZodType } ? z.input<T> : undefined;
type Part<E, K extends 'params' | 'query' | 'body'> =
  undefined extends Sent<E, K> ? { [P in K]?: Sent<E, K> } : { [P in K]: Sent<E, K> };

/** What a call takes: exactly the parts its contract declares. */
export type InputOf<E> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>;
/** What a call resolves to. */
export type ResultOf<E> = E extends { result: infer T extends z.ZodType } ? z.output<T> : never;

export interface RawResponse {
  status: number;
  /** `X-Error-Code` of a refusal; empty otherwise. */
  errorCode: string;
  body: unknown;
}

export interface RawRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the base path, query included. */
  path: string;
  body?: unknown;
  signal?: AbortSignal;
}

/** How requests and live messages travel: HTTP and a socket in a browser, the shell in the desktop window. */
export interface Transport {
  send(request: RawRequest): Promise<RawResponse>;
  /** Opens the live stream. `onState` hears whether it is up, and when it is retried. @returns its close function. */
  listen(onMessage: (message: unknown) => void, onState: (isUp: boolean, retry?: Retry) => void): () => void;
  /** Whether this page made a change; its echo needs no refetch, the page refetches itself. */
  isOwnRequest(requestId: string): boolean;
  /** Address of a file to download, on this very origin. */
  fileUrl(path: string): string;
}

export type CallErrorKind = 'network' | 'signedOut' | 'refused' | 'invalid' | 'unexpected';

/**
 * A call that did not succeed. `message` and those of the issues are shown to people, in the chosen language; in the
 * server's English where this page has no words for the code.
 */
export class CallError extends Error {
  readonly kind: CallErrorKind;
  readonly code: string;
  /** Their messages are shown at the field and do not name it. */
  readonly issues: readonly ValidationIssue[];
  /** Values for the placeholders in the code's text. */
  readonly params: Refusal['params'];
  /** Whether something in front of the panel answered that it cannot reach it. */
  readonly isGateway: boolean;
  constructor(
    kind: CallErrorKind,
    message: string,
    code = '',
    issues: readonly ValidationIssue[] = [],
    params: Refusal['params'] = {},
    isGateway = false,
  ) {
    super(message);
    this.name = 'CallError';
    this.kind = kind;
    this.code = code;
    this.issues = issues;
    this.params = params;
    this.isGateway = isGateway;
  }
}

/** Calls one endpoint of the panel. @throws {CallError} for everything but success. */
export async function call<S extends EndpointShape>(
  transport: Transport,
  endpoint: Endpoint<S>,
  input: InputOf<Endpoint<S>>,
  signal?: AbortSignal,
): Promise<ResultOf<Endpoint<S>>> {
  const { params, query, body } = input as { params?: object; query?: object; body?: unknown };
  const response = await transport.send({
    method: endpoint.method,
    path: fillPath(endpoint.path, params) + queryText(query),
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
  const isRaw = endpoint.response === 'raw';
  // Refused changes are explained in the chosen language; reads load no texts for that: the first page makes them.
  if (endpoint.method !== 'GET' && !isTaken(response, isRaw)) await refusalTextsLoaded();
  return readResponse(response, isRaw) as ResultOf<Endpoint<S>>;
}

function fillPath(path: string, params: object = {}): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );
}

function queryText(query: object = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query) as [string, string | number | boolean | null | undefined][]) {
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

function isTaken({ status, body }: RawResponse, isRaw: boolean): boolean {
  return isRaw ? status < 400 : (body as Partial<Envelope> | null)?.success === true;
}

/** Bad gateway, unavailable, gateway timeout: without an envelope they do not come from the panel. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

function readResponse({ status, body, errorCode }: RawResponse, isRaw: boolean): unknown {
  if (status === 401) throw new CallError('signedOut', signedOutWords());
  if (isRaw && status < 400) return body;
  const envelope = body as Partial<Envelope> | null;
  if (envelope?.success === true) return envelope.obj;
  if (envelope === null || typeof envelope !== 'object')
    throw new CallError('unexpected', noResponseWords(status), '', [], {}, GATEWAY_STATUSES.has(status));
  const { code, params } = envelope.error ?? { code: errorCode, params: {} };
  // An empty message means that nothing is shown.
  const message = (envelope.msg ?? '') === '' ? '' : refusalText({ code, params }, envelope.msg ?? '');
  const issues = (envelope.obj as { issues?: ValidationIssue[] } | null)?.issues;
  if (!Array.isArray(issues)) throw new CallError(status >= 500 ? 'unexpected' : 'refused', message, code, [], params);
  // A failure at a field gets the same words there.
  const shownIssues = issues.map((issue) => ({ ...issue, message: issue.rule === code ? message : issueWords(issue) }));
  const isOfFields = code === 'request.invalid' && shownIssues.length > 0;
  throw new CallError(
    'invalid',
    isOfFields ? shownIssues.map(placedWords).join(' · ') : message,
    code,
    shownIssues,
    params,
  );
}
