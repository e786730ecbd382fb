import type Router from '@koa/router';
import type { Context } from 'koa';
import type * as z from 'zod';
import { DomainError } from '../contract/domain-error.ts';
import type { BodyOf, Endpoint, EndpointShape, ParamsOf, QueryOf, ResultOf } from '../contract/endpoint.ts';
import { ValidationError, type ValidationIssue } from '../contract/envelope.ts';
import { toValidationIssues } from '../contract/validation.ts';
import type { RequestInfo } from './caller.ts';
import type { Translate } from './texts.ts';

/** What every bound handler receives: validated parts of the request, and who asks. */
export interface Call<E> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  request: RequestInfo;
  /** Replaces the contract's success message, where the text depends on what happened. `key` as {@link EndpointShape.message}. */
  say: (key: string, params?: Readonly<Record<string, string | number>>) => void;
  /** For answers that are not an envelope (attachments, cookies). Ordinary handlers have no use for it. */
  koa: Context;
}

/** Endpoints that are mounted, for the registry test, the access check and the API document. */
export interface Mounted {
  endpoints: Endpoint[];
}

export interface BindContext {
  router: Router;
  mounted: Mounted;
  translate: Translate;
}

/**
 * Mounts one endpoint: parses params, query and body with the contract's schemas, runs the handler and wraps the
 * envelope. Refusals (validation, {@link DomainError}) become envelopes here; anything else is left to the boundary.
 */
export function bind<S extends EndpointShape>(
  { router, mounted, translate }: BindContext,
  declared: Endpoint<S>,
  handle: (call: Call<Endpoint<S>>) => Promise<ResultOf<Endpoint<S>>> | ResultOf<Endpoint<S>>,
): void {
  const endpoint = declared as unknown as Endpoint;
  mounted.endpoints.push(endpoint);
  const handler = async (koa: Context): Promise<void> => {
    const say = (key: string, params: Readonly<Record<string, string | number>> = {}) =>
      translate(koa.state['language'] as string, key, params);
    try {
      let msg = endpoint.message === undefined ? '' : say(endpoint.message);
      const call: Call<Endpoint<S>> = {
        ...(parseCall(endpoint, koa) as Omit<Call<Endpoint<S>>, 'say'>),
        say: (key, params) => void (msg = say(key, params)),
      };
      const obj = await handle(call);
      if (endpoint.answer === 'attachment') return;
      koa.body = endpoint.answer === 'raw' ? obj : { success: true, msg, obj: obj ?? null };
    } catch (error) {
      if (error instanceof ValidationError) {
        koa.body = {
          success: false,
          msg: say('request.invalid'),
          obj: { message: error.message, issues: error.issues },
        };
      } else if (error instanceof DomainError) {
        koa.body = { success: false, msg: say(error.code, error.params), obj: null };
      } else throw error;
    }
  };
  const method = endpoint.method === 'GET' ? 'get' : endpoint.method === 'DELETE' ? 'delete' : 'post';
  router[method](endpoint.path, handler);
}

function parseCall(endpoint: Endpoint, koa: Context): unknown {
  const state = koa.state as { info: RequestInfo; badBody?: ValidationError };
  if (endpoint.body !== undefined && state.badBody !== undefined) throw state.badBody;
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
    body: read(endpoint.body, (koa.request as { body?: unknown }).body ?? {}),
    request: state.info,
    koa,
  };
  if (issues.length > 0) throw new ValidationError(issues);
  return call;
}
