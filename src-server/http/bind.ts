import { tmpdir } from 'node:os';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type * as z from 'zod';
import { actingAlone, actingAs } from '../acting.ts';
import { besideActive } from '../store/beside-active.ts';
import type { Act } from '../contract/act.ts';
import { DomainError } from '../contract/domain-error.ts';
import type { BodyOf, Endpoint, EndpointShape, ParamsOf, QueryOf, ResultOf } from '../contract/endpoint.ts';
import { ValidationError, type Envelope, type ValidationIssue } from '../contract/envelope.ts';
import { toValidationIssues } from '../contract/validation.ts';
import { refuseStranger } from './guards/access.ts';
import { respondEmpty, respondFailure } from './responses.ts';
import type { RequestInfo } from './guards/caller.ts';
import { isKnownTag } from './entity-tag.ts';
import { BodyRefusal, readTextBody } from './body/read-body.ts';
import { discard, readUpload, type UploadedFile } from './body/read-upload.ts';
import { JsonList, JsonPieces } from './json-list.ts';
import type { Say } from './texts.ts';

/** What every bound handler receives: validated parts of the request, and who calls. */
export interface Call<E> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** Files of an `upload`; deleted when the handler has ended, unless it moved them. */
  files: readonly UploadedFile[];
  request: RequestInfo;
  /**
   * Replaces the contract's success message where the text depends on the result. `key` as {@link
   * EndpointShape.message}.
   */
  say: (key: string, params?: Readonly<Record<string, string | number>>) => void;
  /** For responses that are not an envelope (attachments, cookies). Ordinary handlers do not need it. */
  koa: Context;
}

/** The mounted endpoints, for the registry test, the access check and the API document. */
export interface Mounted {
  endpoints: Endpoint[];
}

export interface BindContext {
  router: Router;
  mounted: Mounted;
  say: Say;
  /** Where uploaded files wait; by default the system's temporary folder. */
  uploadFolder?: string;
  /** Why nothing can be changed here now: only reads are answered. Absent = everything is. */
  standby?: () => DomainError;
}

/** A long array may be returned in pages. */
type ListOf<R> = R extends readonly (infer T)[] ? JsonList<T> | JsonPieces : never;

/**
 * Mounts one endpoint: reads the body, parses params, query and body with the contract's schemas, runs the handler and
 * wraps the envelope. Refusals (validation, {@link DomainError}) become envelopes here, the latter with their code in
 * `X-Error-Code`, and both with code and parameters in `error`; any other error is left to the boundary.
 */
export function bind<S extends EndpointShape>(
  { router, mounted, say, uploadFolder = tmpdir(), standby }: BindContext,
  declared: Endpoint<S>,
  handle: (
    call: Call<Endpoint<S>>,
  ) => Promise<ResultOf<Endpoint<S>>> | ResultOf<Endpoint<S>> | ListOf<ResultOf<Endpoint<S>>>,
): void {
  const endpoint = declared as unknown as Endpoint;
  mounted.endpoints.push(endpoint);
  const handler = async (koa: Context): Promise<void> => {
    const { info } = koa.state as { info: RequestInfo };
    // The gate in front has already refused strangers by path; this check holds however a path is spelt or mounted.
    if (endpoint.access === 'admin' && info.caller.kind === 'anonymous') return refuseStranger(koa);
    if (standby !== undefined && !isServedOnStandby(endpoint)) return refuseOnStandby(koa, standby(), say);
    let files: readonly UploadedFile[] = [];
    try {
      const sent = await readSent(endpoint, koa, uploadFolder);
      files = sent.files;
      let msg = endpoint.message === undefined ? '' : say(endpoint.message);
      const call: Call<Endpoint<S>> = {
        ...(parseCall(endpoint, koa, sent.body) as Pick<Call<Endpoint<S>>, 'params' | 'query' | 'body'>),
        files,
        request: info,
        koa,
        say: (key, params) => void (msg = say(key, params)),
      };
      const act = { ...actOf(info, endpoint), entries: [] as number[] };
      // A read may still create a value on first use: that is the panel's own change.
      const run = (): ReturnType<typeof handle> =>
        endpoint.onStandby === 'signsIn' ? besideActive(() => handle(call)) : handle(call);
      const obj =
        endpoint.method === 'GET' || endpoint.access !== 'admin' ? await actingAlone(run) : await actingAs(act, run);
      if (act.entries.length > 0) koa.set('X-Journal-Entry', act.entries.join(','));
      if (endpoint.response === 'attachment') return;
      if (obj instanceof JsonPieces) {
        koa.set('ETag', `W/${obj.tag}`);
        if (isKnownTag(koa.get('If-None-Match'), obj.tag)) {
          koa.status = 304;
          return;
        }
      }
      if (obj instanceof JsonList || obj instanceof JsonPieces) {
        koa.type = 'application/json';
        koa.body = obj.toEnvelope(msg);
        return;
      }
      koa.body = endpoint.response === 'raw' ? obj : { success: true, msg, obj: obj ?? null };
    } catch (error) {
      if (error instanceof DomainError && error.code === STANDBY) refuseOnStandby(koa, error, say);
      else respondRefusal(koa, endpoint, error, say);
    } finally {
      await discard(files);
    }
  };
  const method = endpoint.method === 'GET' ? 'get' : endpoint.method === 'DELETE' ? 'delete' : 'post';
  router[method](endpoint.path, handler);
}

function actOf({ caller, address, requestId }: RequestInfo, { method, path }: Endpoint): Act {
  const verb = `${method} ${path}`;
  const from = { address, verb, requestId };
  switch (caller.kind) {
    case 'session':
      return { actor: 'admin', name: caller.username, ...from };
    case 'token':
      return { actor: 'token', name: caller.name, ...from };
    case 'certificate':
      return { actor: 'master', name: '', ...from };
    default:
      return { actor: 'window', name: '', ...from };
  }
}

const STANDBY = 'store.standby';
const isServedOnStandby = ({ method, onStandby }: Endpoint): boolean => method === 'GET' || onStandby !== undefined;

function refuseOnStandby(koa: Context, { code, params }: DomainError, say: Say): void {
  koa.set('X-Error-Code', code);
  koa.set('Retry-After', '5');
  respondFailure(koa, 503, say, { code, params });
}

function respondRefusal(koa: Context, endpoint: Endpoint, error: unknown, say: Say): void {
  if (error instanceof ValidationError) {
    const code = endpoint.invalidMessage ?? 'request.invalid';
    koa.body = {
      success: false,
      msg: say(code),
      obj: { message: error.message, issues: error.issues },
      error: { code, params: {} },
    } satisfies Envelope;
  } else if (error instanceof DomainError) {
    const { code, params, field } = error;
    koa.set('X-Error-Code', code);
    const msg = say(code, params);
    const place = { field, rule: code, code, params, message: msg };
    koa.body = {
      success: false,
      msg,
      obj: field === '' ? null : { message: msg, issues: [place] },
      error: { code, params },
    } satisfies Envelope;
  } else if (error instanceof BodyRefusal) {
    if (error.key === null) respondEmpty(koa, error.status);
    else respondFailure(koa, error.status, say, { code: error.key, params: error.params });
  } else throw error;
}

async function readSent(endpoint: Endpoint, koa: Context, uploadFolder: string) {
  if (endpoint.body === undefined && endpoint.encoding !== 'upload') return { body: undefined, files: [] };
  if (endpoint.encoding === 'upload') {
    const { fields, files } = await readUpload(koa, uploadFolder);
    return { body: fields, files };
  }
  const rules = { encoding: endpoint.encoding ?? 'either', isFromStranger: endpoint.access === 'public' };
  return { body: await readTextBody(koa, rules), files: [] };
}

function parseCall(endpoint: Endpoint, koa: Context, body: unknown): unknown {
  const issues: ValidationIssue[] = [];
  const read = (schema: z.ZodType | undefined, value: unknown): unknown => {
    if (schema === undefined) return undefined;
    const parsed = schema.safeParse(value, { reportInput: true });
    if (!parsed.success) {
      issues.push(...toValidationIssues(parsed.error));
      return undefined;
    }
    return parsed.data;
  };
  const call = {
    params: read(endpoint.params, koa['params']),
    query: read(endpoint.query, koa.query),
    body: read(endpoint.body, body ?? {}),
  };
  if (issues.length > 0) throw new ValidationError(issues);
  return call;
}
